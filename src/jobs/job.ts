/** A program in which a job has something to do. */
export interface Due {
  programId: string;
  /** For how long. Undefined: the rows that are due do not say. */
  ageMs?: number;
}

/** What a program gets before the next one has its turn. */
export interface Turn {
  /** By `performance.now()`. Work that is left is found again. */
  deadline: number;
  isStopping: () => boolean;
}

/** Background work, as the feature that owns it describes it. */
export interface Job<Found extends Due = Due> {
  /** Names the job in metrics and logs. */
  name: string;
  /** How often a worker looks for due work. */
  everyMs: number;
  /** How many programs a worker serves at the same time. */
  atOnce: number;
  /** The level at which failures are logged; `warn` by default. */
  failuresAre?: 'warn' | 'error';
  /** One query over all programs, or over the given one. What has been due longest comes first. */
  findDue(programId?: string): Promise<Found[]>;
  /** One turn of one program. Two workers may call it at the same time. True: there was more to do than the turn allowed. */
  work(due: Found, turn: Turn): Promise<unknown>;
}

/** Work that concerns no single program and finds what is due itself. It runs at every interval. */
export const sweep = (name: string, everyMs: number, work: (turn: Turn) => Promise<unknown>): Job => ({
  name,
  everyMs,
  atOnce: 1,
  findDue: async () => [{ programId: '' }],
  work: (_, turn) => work(turn),
});
