import { findLastFoursOfCards } from '../cards/queries.ts';
import type { Queryable } from '../db/database.ts';
import { DECISION_KINDS } from '../decisions/decision.ts';
import type { StoredEvent } from '../events/event.ts';
import { reveal, type Secret } from '../kernel/secret.ts';
import type { Program } from '../programs/program.ts';
import type { AttemptResult } from '../webhooks/attempt-delivery.ts';
import { viewOf } from '../webhooks/event-body.ts';
import type { Follower } from '../webhooks/follow-events.ts';
import type { Deciding } from './decide.ts';
import type { Answered } from './decision-server.ts';
import { answerLine, cardOf, decisionLine, eventLine } from './listen-line.ts';
import { paint, type Terminal } from './terminal.ts';

/** State that survives a reconnect to the database. */
export interface Listening {
  /** By program id. */
  followed: Map<string, { program: Program; follower: Follower }>;
  /** Null: the greeting has not been printed yet. */
  day: string | null;
  count: number;
  /** Number of decisions answered. */
  decided: number;
  /** With `--decide`, until the endpoints are restored. */
  deciding?: Deciding;
  db?: Queryable;
}

export function greeting(
  terminal: Terminal,
  { followed, deciding }: Listening,
  forward: string | undefined,
  key: Secret,
  json: boolean,
): string {
  const programs = [...followed.values()].map(({ program }) => program);
  const forwarding = forward === undefined ? {} : { forward, secret: reveal(key) };
  if (json) {
    const named = programs.map(({ id, name }) => ({ programId: id, programName: name }));
    const decide = deciding && { decide: decidingJson(deciding) };
    return `${JSON.stringify({ listening: { programs: named, ...forwarding, ...decide } })}\n`;
  }
  const names = programs.map(({ name }) => paint(terminal, 'bold', name)).join(', ');
  const lines = [`Listening to ${names}. Press Ctrl-C to stop.`];
  if (forward !== undefined)
    lines.push(`Forwarding to ${forward}, signed with ${paint(terminal, 'bold', reveal(key))}`);
  if (deciding) lines.push(...decidingLines(terminal, deciding));
  return `${lines.join('\n')}\n\n`;
}

const ruleOf = ({ rule }: Deciding): string => (typeof rule === 'object' ? rule.url : rule);

const decidingJson = (deciding: Deciding) => ({
  rule: ruleOf(deciding),
  authorizationMode: deciding.program.authorizationMode,
  secrets: Object.fromEntries([...deciding.secrets].map(([kind, each]) => [kind, reveal(each)])),
});

const RULES = {
  approve: 'Approving every decision',
  decline: 'Declining every decision',
  timeout: 'Leaving every decision without an answer',
};

function decidingLines(terminal: Terminal, { rule, program, secrets }: Deciding): string[] {
  const { name, authorizationMode } = program;
  const how =
    typeof rule === 'object'
      ? [`Requesting decisions from ${rule.url}, signed with`, ...secretLines(terminal, secrets)]
      : [`${RULES[rule]}.`];
  if (authorizationMode !== 'STANDARD') return how;
  const advice = `emboss program set '${name}' --authorization-mode REAL_TIME`;
  const none = 'The authorization mode is STANDARD, so there are no decisions on authorizations';
  return [...how, `${none}; to change it: ${advice}`];
}

const secretLines = (terminal: Terminal, secrets: Deciding['secrets']): string[] =>
  DECISION_KINDS.map((kind) => {
    const known = secrets.get(kind);
    const words = known ? paint(terminal, 'bold', reveal(known)) : 'the secret of the decision endpoint';
    return `  ${kind}: ${words}`;
  });

/** How an event, and later the answer of its receiver, is printed; and a decision with its answer. */
interface Lines {
  shown(event: StoredEvent): string;
  answered(event: StoredEvent, result: AttemptResult): string;
  decided(question: StoredEvent, answered: Answered): string;
}

/** The event as a receiver gets it, with the program added if several programs are followed. */
export function jsonLines({ followed }: Listening, { id, name }: Program): Lines {
  const program = followed.size > 1 ? { programId: id, programName: name } : {};
  return {
    shown: (event) => `${JSON.stringify({ ...viewOf(event), ...program })}\n`,
    answered: ({ id: eventId }, result) => `${JSON.stringify({ eventId, forwarded: forwardedOf(result) })}\n`,
    decided: (question, answered) => `${JSON.stringify({ ...viewOf(question), ...program, answered })}\n`,
  };
}

function forwardedOf(result: AttemptResult) {
  const { durationMs } = result;
  if ('error' in result) return { error: result.error, durationMs };
  const { statusCode, retryAfter, answerStart } = result;
  return { statusCode, retryAfter, answerStart, durationMs };
}

export async function textLines(
  terminal: Terminal,
  db: Queryable,
  listening: Listening,
  { id, name }: Program,
  event: StoredEvent,
): Promise<Lines> {
  const cardId = cardOf(event);
  // Prints the event without digits if the database is unavailable at this moment.
  const lastFours = await findLastFoursOfCards(db, id, cardId ? [cardId] : []).catch(
    () => new Map<string, string>(),
  );
  const programs = [...listening.followed.values()].map(({ program }) => program.name);
  const width = Math.max(...programs.map(({ length }) => length));
  const labels = {
    program: programs.length > 1 ? name.padEnd(width) : undefined,
    lastFour: lastFours.get(cardId ?? ''),
  };
  const day = event.createdAt.toISOString().slice(0, 10);
  const newDay = day === listening.day ? '' : `${paint(terminal, 'dim', day)}\n`;
  listening.day = day;
  return {
    shown: () => `${newDay}${eventLine(terminal, event, labels)}\n`,
    answered: (_event, result) => `${answerLine(terminal, event, labels, result)}\n`,
    decided: (_question, answered) => `${newDay}${decisionLine(terminal, event, labels, answered)}\n`,
  };
}
