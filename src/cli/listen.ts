import { setTimeout as pause } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { TRANSACTION_EVENTS } from '../authorizations/event-schema.ts';
import { CARD_EVENTS } from '../cards/event-schema.ts';
import { readConfig } from '../config.ts';
import { isConnectionLoss } from '../db/failures.ts';
import { EVENT_TYPES } from '../events/event.ts';
import { reveal, type Secret, secret } from '../kernel/secret.ts';
import { findLastFoursOfCards } from '../operations/search/queries.ts';
import type { Program } from '../programs/program.ts';
import { FILE_EVENTS } from '../reports/event-schema.ts';
import { completeFileData } from '../reports/read-request.ts';
import { openServices, type Runtime } from '../runtime.ts';
import { type AttemptResult, attemptDelivery } from '../webhooks/attempt-delivery.ts';
import { type StoredEvent, viewOf } from '../webhooks/event-body.ts';
import { type Follower, followEvents } from '../webhooks/follow-events.ts';
import { cardOf, eventLine, forwardWords } from './listen-line.ts';
import { selectProgram } from './select.ts';
import type { Session } from './session.ts';
import { paint, type Terminal } from './terminal.ts';
import { PROGRAM } from './webhook-session.ts';

const LOOK_EVERY_MS = 200;
const DATABASE_AWAY_MS = 1_000;
const NAMES = [
  ...EVENT_TYPES,
  ...[...CARD_EVENTS, ...TRANSACTION_EVENTS, ...FILE_EVENTS].map(({ name }) => name),
];

interface ListenOptions {
  program?: string;
  events?: string[];
  forward?: string;
}

/** What is kept over a loss of the database. */
interface Listening {
  program: Program;
  follower: Follower;
  /** Null: the day has not been said yet. */
  day: string | null;
  count: number;
}

export function listenCommand(emboss: Command, session: Session): void {
  emboss
    .command('listen')
    .description('Show events as they happen, until Ctrl-C; with --forward also send them to a URL')
    .option(...PROGRAM)
    .addOption(
      new Option('--events <names...>', 'only these types or names: card, authorization.declined, …').choices(
        NAMES,
      ),
    )
    .addOption(new Option('--forward <url>', 'send each there, signed like a delivery').argParser(httpUrl))
    .action((options: ListenOptions) => listen(session, options, emboss.opts()['json'] === true));
}

function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new InvalidArgumentError('must be a URL such as http://localhost:3000/hooks');
  return url.href;
}

/** The database may go and come back, as it does with a server that is restarted: what happened meanwhile is not lost. */
async function listen(session: Session, options: ListenOptions, json: boolean): Promise<void> {
  const { terminal } = session;
  const stop = terminal.stop ?? stopSignal();
  let listening: Listening | undefined;
  while (!stop.aborted)
    try {
      await session.run(async (runtime) => {
        listening ??= await begin(runtime, options);
        await follow(session, runtime, listening, options, json, stop);
        return undefined;
      });
    } catch (error) {
      if (!listening || !isConnectionLoss(error)) throw error;
      terminal.err('emboss: the database is away; waiting for it\n');
      await pauseUnless(stop, DATABASE_AWAY_MS);
    }
  if (!json) terminal.err(`${listening?.count ?? 0} events\n`);
}

async function begin({ db }: Runtime, { program: wanted }: ListenOptions): Promise<Listening> {
  const program = await selectProgram(db, wanted);
  const follower = followEvents(program.id);
  // Finds nothing: from here on everything is new.
  for await (const _event of follower.look(db));
  return { program, follower, day: null, count: 0 };
}

async function follow(
  { terminal }: Session,
  runtime: Runtime,
  listening: Listening,
  options: ListenOptions,
  json: boolean,
  stop: AbortSignal,
): Promise<void> {
  const { program, follower } = listening;
  const { db } = runtime;
  const services = await openServices(readConfig(terminal.env), runtime);
  // The same at every start, so that a receiver is set up once; nobody can guess it.
  const key = secret(`whsec_${services.vault.digest('listen', program.id).toString('base64')}`);
  if (listening.day === null) terminal.out(greeting(terminal, program, options, key, json));
  listening.day ??= '';
  const send = (event: StoredEvent): Promise<AttemptResult> =>
    attemptDelivery(
      services.sender,
      { programId: program.id, url: options.forward ?? '', live: false, secrets: [key] },
      event,
      (programId, referenceId) => completeFileData({ db, ...services.reports }, programId, referenceId),
      stop,
    );
  try {
    while (!stop.aborted) {
      const beganAt = performance.now();
      for await (const event of follower.look(db)) {
        if (!isWanted(event, options.events)) continue;
        const result = options.forward === undefined ? undefined : await send(event);
        if (stop.aborted) return;
        listening.count += 1;
        terminal.out(
          json ? jsonLine(event, result) : await textLines(terminal, runtime, listening, event, result),
        );
      }
      // A look that is slow, because much happens, is taken less often.
      await pauseUnless(stop, Math.max(LOOK_EVERY_MS, 5 * (performance.now() - beganAt)));
    }
  } finally {
    services.sender.closeAgents();
  }
}

const isWanted = ({ eventType, eventName }: StoredEvent, events: string[] | undefined): boolean =>
  !events || events.includes(eventType) || events.includes(eventName);

function greeting(
  terminal: Terminal,
  { id, name }: Program,
  { forward }: ListenOptions,
  key: Secret,
  json: boolean,
): string {
  const told = forward === undefined ? {} : { forward, secret: reveal(key) };
  if (json) return `${JSON.stringify({ listening: { programId: id, programName: name, ...told } })}\n`;
  const lines = [`Listening to ${paint(terminal, 'bold', name)}. Ctrl-C ends it.`];
  if (forward !== undefined)
    lines.push(`Forwarding to ${forward}, signed with ${paint(terminal, 'bold', reveal(key))}`);
  return `${lines.join('\n')}\n\n`;
}

const jsonLine = (event: StoredEvent, result: AttemptResult | undefined): string => {
  const { unsent: _unsent, ...forwarded } = result ?? {};
  return `${JSON.stringify({ ...viewOf(event), ...(result && { forwarded }) })}\n`;
};

async function textLines(
  terminal: Terminal,
  { db }: Runtime,
  listening: Listening,
  event: StoredEvent,
  result: AttemptResult | undefined,
): Promise<string> {
  const cardId = cardOf(event);
  // An event that was taken is shown, also if the database went away in this moment.
  const lastFours = await findLastFoursOfCards(db, listening.program.id, cardId ? [cardId] : []).catch(
    () => new Map<string, string>(),
  );
  const day = event.createdAt.toISOString().slice(0, 10);
  const newDay = day === listening.day ? '' : `${paint(terminal, 'dim', day)}\n`;
  listening.day = day;
  const forwarded = result ? `  ${forwardWords(terminal, result)}` : '';
  return `${newDay}${eventLine(terminal, event, lastFours.get(cardId ?? ''))}${forwarded}\n`;
}

const pauseUnless = (stop: AbortSignal, ms: number): Promise<void> =>
  pause(ms, undefined, { signal: stop }).catch(() => {});

/** A second Ctrl-C ends the process at once, as it would without us. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}
