import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import pLimit from 'p-limit';
import { readConfig } from '../config.ts';
import type { Queryable } from '../db/database.ts';
import { isConnectionLoss } from '../db/failures.ts';
import type { StoredEvent } from '../events/event.ts';
import { EVENT_NAMES, EVENT_TYPES } from '../events/names.ts';
import { secret } from '../kernel/secret.ts';
import type { Program } from '../programs/program.ts';
import { listPrograms } from '../programs/queries.ts';
import { completeFileData } from '../reports/read-request.ts';
import { openServices, type Runtime } from '../runtime.ts';
import { type AttemptResult, attemptDelivery } from '../webhooks/attempt-delivery.ts';
import { followEvents } from '../webhooks/follow-events.ts';
import { beginDeciding, decideRule } from './decide.ts';
import type { Answered, Rule } from './decision-server.ts';
import { greeting, jsonLines, type Listening, textLines } from './listen-output.ts';
import { selectProgram } from './select.ts';
import type { Session } from './session.ts';
import type { Terminal } from './terminal.ts';
import { httpUrl, namesOf } from './values.ts';

const LOOK_EVERY_MS = 200;
const DATABASE_AWAY_MS = 1_000;
/** Shorter than for a merchant's server: the receiver is a program under development. */
const ANSWER_WITHIN_MS = 5_000;
const MOST_WAITING = 100;
const NAMES: readonly string[] = [...EVENT_TYPES, ...Object.values(EVENT_NAMES).flat()];

interface ListenOptions {
  program?: string | undefined;
  events?: string[];
  forward?: string;
  decide?: Rule;
}

export function listenCommand(emboss: Command, session: Session): void {
  emboss
    .command('listen')
    .description(
      'Show events as they happen, until Ctrl-C; with --forward also send each event to a URL, once',
    )
    .option('--program <id or name>', 'only this program (default: all)')
    .option(
      '--events <names...>',
      'only these event types or names: card, authorization.declined, …',
      namesOf(NAMES),
    )
    .option('--forward <url>', 'send each event to this URL, signed like a webhook delivery', httpUrl)
    .option(
      '--decide <rule>',
      'answer real-time decisions of a sandbox program while it runs, and show one-time passwords: approve, decline, timeout (never answer), or a URL that decides',
      decideRule,
    )
    .action((options: ListenOptions) => listen(session, options, emboss.opts()['json'] === true));
}

const NOT_RESTORED =
  'the decision endpoints are not restored; the next "emboss listen --decide" for this program restores them';

/** Survives a restart of the database without losing events. */
async function listen(session: Session, options: ListenOptions, json: boolean): Promise<void> {
  const { terminal } = session;
  const stop = AbortSignal.any([
    terminal.stop ?? stopSignal(),
    ...(terminal.unread ? [terminal.unread] : []),
  ]);
  const listening: Listening = { followed: new Map(), day: null, count: 0, decided: 0 };
  let isFollowing = false;
  try {
    while (!stop.aborted)
      try {
        await session.run(async (runtime) => {
          if (options.decide !== undefined)
            await decideToo(terminal, runtime, listening, options, json, stop);
          const chosen = { ...options, program: listening.deciding?.program.id ?? options.program };
          if (!isFollowing) await begin(runtime, listening, chosen);
          isFollowing = true;
          await follow(session, runtime, listening, chosen, json, stop);
          await endDeciding(terminal, runtime, listening);
          return undefined;
        });
      } catch (error) {
        if (!isFollowing || !isConnectionLoss(error)) throw error;
        terminal.err(`emboss: the database is unavailable; waiting for it\n`);
        await pauseUnless(stop, DATABASE_AWAY_MS);
      }
  } finally {
    if (listening.deciding) terminal.err(`emboss: ${NOT_RESTORED}\n`);
    listening.deciding?.close();
  }
  const decisions = options.decide === undefined ? '' : `, ${listening.decided} decisions`;
  if (!json) terminal.err(`${listening.count} events${decisions}\n`);
}

/** Answers decisions from the first connection to the database on, until the end. */
async function decideToo(
  terminal: Terminal,
  runtime: Runtime,
  listening: Listening,
  { program, decide }: ListenOptions,
  json: boolean,
  stop: AbortSignal,
): Promise<void> {
  // The cards in the output are read from the connection of the moment.
  listening.db = runtime.db;
  if (listening.deciding || decide === undefined) return;
  const show = async (question: StoredEvent, answered: Answered): Promise<void> => {
    const { deciding, db } = listening;
    if (stop.aborted || !deciding || !db) return;
    listening.decided += 1;
    const lines = json
      ? jsonLines(listening, deciding.program)
      : await textLines(terminal, db, listening, deciding.program, question);
    terminal.out(lines.decided(question, answered));
  };
  listening.deciding = await beginDeciding(
    terminal,
    runtime,
    program,
    decide,
    (...shown) => void show(...shown),
  );
}

async function endDeciding(terminal: Terminal, runtime: Runtime, listening: Listening): Promise<void> {
  const { deciding } = listening;
  if (!deciding) return;
  terminal.err(`${await deciding.end(runtime)}\n`);
  deciding.close();
  delete listening.deciding;
}

async function begin({ db }: Runtime, listening: Listening, { program }: ListenOptions): Promise<void> {
  // Without --program it follows all programs; `selectProgram` reports that there are none.
  const all = program === undefined ? await listPrograms(db) : [];
  await followToo(db, listening, all.length > 0 ? all : [await selectProgram(db, program)]);
}

async function followToo(db: Queryable, { followed }: Listening, programs: Program[]): Promise<void> {
  for (const program of programs) {
    if (followed.has(program.id)) continue;
    const follower = followEvents(program.id);
    // The first call returns no events: only later ones are shown.
    for await (const _event of follower.look(db));
    followed.set(program.id, { program, follower });
  }
}

async function follow(
  { terminal }: Session,
  runtime: Runtime,
  listening: Listening,
  options: ListenOptions,
  json: boolean,
  stop: AbortSignal,
): Promise<void> {
  const { db } = runtime;
  const services = await openServices(readConfig(terminal.env), runtime);
  // The same at every start, so that a receiver is configured once. It cannot be guessed.
  const key = secret(`whsec_${services.vault.digest('listen').toString('base64')}`);
  if (listening.day === null) terminal.out(greeting(terminal, listening, options.forward, key, json));
  listening.day ??= '';
  const send = (programId: string, event: StoredEvent): Promise<AttemptResult> =>
    attemptDelivery(
      services.sender,
      { programId, url: options.forward ?? '', reach: 'anywhere', secrets: [key] },
      event,
      (program, referenceId) => completeFileData({ db, ...services.reports }, program, referenceId),
      stop,
      ANSWER_WITHIN_MS,
    );
  // Forwards events in order, concurrently with polling: a slow receiver does not delay the output.
  const inOrder = pLimit(1);
  try {
    while (!stop.aborted) {
      const beganAt = performance.now();
      if (options.program === undefined) await followToo(db, listening, await listPrograms(db));
      for (const { program, follower } of listening.followed.values())
        for await (const event of follower.look(db)) {
          if (stop.aborted) return;
          if (!isWanted(event, options.events)) continue;
          listening.count += 1;
          const lines = json
            ? jsonLines(listening, program)
            : await textLines(terminal, db, listening, program, event);
          terminal.out(lines.shown(event));
          if (options.forward === undefined) continue;
          const forwarded = inOrder(async () => {
            if (stop.aborted) return;
            const result = await send(program.id, event);
            if (!stop.aborted) terminal.out(lines.answered(event, result));
          });
          if (inOrder.pendingCount >= MOST_WAITING) await forwarded;
        }
      // Polls less often if a round takes long.
      await pauseUnless(stop, Math.max(LOOK_EVERY_MS, 5 * (performance.now() - beganAt)));
    }
  } finally {
    // Waits for all forwards queued before.
    await inOrder(() => {});
    services.sender.closeAgents();
  }
}

const isWanted = ({ eventType, eventName }: StoredEvent, events: string[] | undefined): boolean =>
  !events || events.includes(eventType) || events.includes(eventName);

const pauseUnless = (stop: AbortSignal, ms: number): Promise<void> =>
  pause(ms, undefined, { signal: stop }).catch(() => {});

/** `once`: a second Ctrl-C ends the process immediately. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}
