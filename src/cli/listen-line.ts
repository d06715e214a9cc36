import { DECLINES, type DeclineReason } from '../authorizations/core/decline.ts';
import type { StoredEvent } from '../events/event.ts';
import type { AttemptResult } from '../webhooks/attempt-delivery.ts';
import type { Answered } from './decision-server.ts';
import { paint, type Terminal } from './terminal.ts';

const NAME_WIDTH = 'authorization.declined'.length;
const AMOUNT_WIDTH = 14;
const TIME_WIDTH = 'hh:mm:ss'.length;

/** The program's name, if several programs are followed, and the card's last four digits. */
interface Labels {
  program: string | undefined;
  lastFour: string | undefined;
}

const textOf = ({ data }: StoredEvent, field: string): string | undefined =>
  typeof data[field] === 'string' ? (data[field] as string) : undefined;

export const cardOf = (event: StoredEvent): string | undefined =>
  textOf(event, 'cardId') ?? textOf(event, 'card_id');

/** One line per event: time, name, card and details. */
export function eventLine(terminal: Terminal, event: StoredEvent, labels: Labels): string {
  const time = event.createdAt.toISOString().slice(11, 19);
  return `${paint(terminal, 'dim', time)}  ${heading(terminal, event, labels)}  ${wordsOf(event)}`.trimEnd();
}

/** The result of forwarding an event. It may appear below later events. */
export const answerLine = (
  terminal: Terminal,
  event: StoredEvent,
  labels: Labels,
  result: AttemptResult,
): string =>
  `${' '.repeat(TIME_WIDTH)}  ${heading(terminal, event, labels)}  ${forwardWords(terminal, result)}`;

/** A decision and its answer. */
export const decisionLine = (
  terminal: Terminal,
  question: StoredEvent,
  labels: Labels,
  answered: Answered,
): string => `${eventLine(terminal, question, labels)}  ${decisionWords(terminal, question, answered)}`;

function heading(terminal: Terminal, event: StoredEvent, { program, ...labels }: Labels): string {
  const lastFour = labels.lastFour ?? textOf(event, 'last_four');
  const name = paint(terminal, colorOf(event), event.eventName.padEnd(NAME_WIDTH));
  const card = (lastFour ? `•••• ${lastFour}` : '').padEnd(9);
  return program === undefined ? `${name}  ${card}` : `${program}  ${name}  ${card}`;
}

const YELLOW = new Set(['card.frozen', 'authorization.expired', 'settlement.unmatched']);
const RED = new Set([
  'account.low_balance',
  'authorization.declined',
  'card.blocked',
  'decision.stand_in_started',
]);

function colorOf({ eventName, eventType }: StoredEvent): 'red' | 'green' | 'yellow' | 'cyan' {
  if (RED.has(eventName)) return 'red';
  if (eventType === 'security') return 'red';
  if (YELLOW.has(eventName)) return 'yellow';
  return eventType === 'transaction' ? 'green' : 'cyan';
}

function wordsOf(event: StoredEvent): string {
  if (event.eventType === 'files') return `request ${textOf(event, 'reference_id') ?? ''}`;
  if (event.eventType === 'security')
    return `key ${textOf(event, 'hint') ?? ''} (${textOf(event, 'name') ?? ''}) by ${textOf(event, 'createdBy') ?? ''}`;
  if (event.eventName.startsWith('decision.'))
    return `${textOf(event, 'kind') ?? ''}: ${textOf(event, 'reason') ?? ''}, on failure ${textOf(event, 'on_failure') ?? ''}`;
  if (event.eventType === 'account')
    return `${textOf(event, 'available') ?? ''} ${textOf(event, 'currency') ?? ''} available`;
  if (event.eventType === 'card') {
    const reason = textOf(event, 'statusReason') ?? textOf(event, 'renewOption');
    return [textOf(event, 'status'), reason].filter(Boolean).join(': ');
  }
  if (event.eventName === 'transaction.updated') return `changed: ${listOf(event, 'changed')}`;
  const merchant = (event.data['merchant'] as { name: string | null } | null)?.name;
  const about = [amountOf(event), merchant ?? textOf(event, 'merchant_name')];
  const more = [declineOf(event), codeOf(event), resultOf(event), unmatchedOf(event)];
  return [...about, ...more, adviceOf(event), listOf(event, 'flags')].filter(Boolean).join('  ');
}

const listOf = ({ data }: StoredEvent, field: string): string =>
  Array.isArray(data[field]) ? (data[field] as string[]).join(', ') : '';

const unmatchedOf = (event: StoredEvent): string | undefined =>
  event.eventType === 'settlement' ? `${textOf(event, 'kind') ?? ''} of a number without a card` : undefined;

const adviceOf = ({ data }: StoredEvent): string | undefined =>
  (data['decision'] as { source?: string } | undefined)?.source === 'network' ? 'advice' : undefined;

/** Only sandbox programs send their codes here, and this is how a developer gets them. */
function codeOf(event: StoredEvent): string | undefined {
  if (event.eventName !== 'otp.request') return undefined;
  return `code ${textOf(event, 'otp') ?? ''} for ${textOf(event, 'destination') ?? ''}`;
}

/** Of an authentication. */
function resultOf(event: StoredEvent): string | undefined {
  if (event.eventType !== 'authentication') return undefined;
  return [textOf(event, 'status'), textOf(event, 'reason')].filter(Boolean).join(': ');
}

/** The amount in the card's currency, and in the merchant's currency if that differs. */
function amountOf(event: StoredEvent): string {
  const [amount, acceptorCurrency] = [textOf(event, 'amount'), textOf(event, 'currency')];
  const [billed, currency] = [
    textOf(event, 'bill_amount') ?? amount,
    textOf(event, 'bill_currency') ?? acceptorCurrency,
  ];
  // A code for a wallet has none.
  if (billed === undefined) return '';
  const foreign =
    amount !== undefined && acceptorCurrency !== currency ? ` (${amount} ${acceptorCurrency})` : '';
  return `${billed} ${currency}`.padStart(AMOUNT_WIDTH) + foreign;
}

function declineOf(event: StoredEvent): string | undefined {
  const reason = textOf(event, 'decline_reason');
  if (event.eventName !== 'authorization.declined' || reason === undefined) return undefined;
  return `${reason}: ${DECLINES[reason as DeclineReason]?.meaning ?? ''}`;
}

/** The receiver's status or the error, with the duration. */
function forwardWords(terminal: Terminal, result: AttemptResult): string {
  const ms = `${Math.round(result.durationMs)} ms`;
  if ('error' in result) return paint(terminal, 'red', `→ ${result.error} (${ms})`);
  const taken = result.statusCode >= 200 && result.statusCode < 300;
  return paint(terminal, taken ? 'green' : 'red', `→ ${result.statusCode} in ${ms}`);
}

/** The decision with its reason, or why there is none, with the duration. */
function decisionWords(terminal: Terminal, { eventName }: StoredEvent, answered: Answered): string {
  const ms = `${answered.durationMs} ms`;
  if ('error' in answered) return paint(terminal, 'red', `→ ${answered.error} (${ms})`);
  if (eventName === 'otp.request' && answered.statusCode === 200)
    return paint(terminal, 'green', `→ sent in ${ms}`);
  const { decision, reason, available } = decisionIn(answered.body);
  if (eventName === 'balance.request' && answered.statusCode === 200 && available !== undefined)
    return paint(terminal, 'green', `→ available ${available} in ${ms}`);
  const wanted = eventName === 'balance.request' ? 'balance' : 'decision';
  if (answered.statusCode !== 200 || decision === undefined || wanted === 'balance')
    return paint(terminal, 'red', `→ ${answered.statusCode}, no ${wanted} (${ms})`);
  const words = [decision, ...(reason === undefined ? [] : [reason])].join(': ');
  return paint(terminal, decision === 'APPROVE' ? 'green' : 'yellow', `→ ${words} in ${ms}`);
}

/** Printed only if they are short texts: the answer is of a program under development. */
function decisionIn(body: string): Record<'decision' | 'reason' | 'available', string | undefined> {
  const word = (value: unknown) =>
    typeof value === 'string' && /^[\w .,-]{1,100}$/.test(value) ? value : undefined;
  try {
    const { decision, reason, available_amount } = JSON.parse(body);
    return { decision: word(decision), reason: word(reason), available: word(available_amount) };
  } catch {
    return { decision: undefined, reason: undefined, available: undefined };
  }
}
