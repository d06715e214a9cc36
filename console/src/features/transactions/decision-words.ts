import type { Decision, LifeEvent, TransactionDetail, TransactionLife } from '../../lib/types.ts';
import { declineWords } from './filters.ts';

type Outcome = Decision['outcome'];
type WithoutAnswer = Exclude<Outcome, 'approved' | 'declined'>;

/** Why there is no answer, as a sentence and after "your server, which". */
const NO_ANSWER: Record<WithoutAnswer, readonly [why: string, which: string]> = {
  timeout: ['your server did not answer within the time limit', 'which did not answer within the time limit'],
  unreachable: ['your server could not be reached', 'which could not be reached'],
  invalid: ['the answer of your server cannot be used', 'whose answer cannot be used'],
  paused: ['the endpoint of your server was paused', 'whose endpoint was paused'],
};
/** After failures in a row, or with too many requests at once. */
const NOT_SENT = ['no request was sent to your server', 'which got no request'] as const;
/** The declines that only say that there is no answer. */
const UNANSWERED = ['decision_timeout', 'decision_unavailable', 'decision_invalid'];

type Decided = Pick<LifeEvent, 'decline' | 'decision' | 'billAmount'>;

/** Who decided an authorization or an increment, in one line. Null: the event is not a decision. */
export function decisionWords({ decline, decision, billAmount }: Decided): string | null {
  if (!decision) return null;
  const { source, outcome, reason, reference } = decision;
  const byEmboss = decline && `declined by Emboss: ${inSentence(declineWords(decline.reason))}`;
  if (source === 'emboss') return 'Decided by Emboss';
  if (source === 'network')
    return `Decided by the card network in place of Emboss${reason ? `: ${reason}` : ''}`;
  // Your server gets no other request without an amount.
  const isInquiry = billAmount !== null && Number(billAmount) === 0;
  if (outcome === 'approved' || outcome === 'declined') {
    const said = `${isInquiry ? 'Balance given' : capital(outcome)} by your server in ${decision.duration_ms} ms${reason ? `: ${reason}` : ''}`;
    // The card may change while the server decides.
    const then = byEmboss && outcome === 'approved' ? `, then ${byEmboss}` : '';
    return `${said}${reference ? ` (reference ${reference})` : ''}${then}`;
  }
  const [why, which] =
    outcome === 'unreachable' && decision.duration_ms === null ? NOT_SENT : NO_ANSWER[outcome];
  if (!byEmboss && isInquiry) return `Approved without a balance: ${why}`;
  if (!byEmboss) return `Approved in place of your server, ${which}`;
  return UNANSWERED.includes(decline.reason) ? `Declined: ${why}` : `${capital(byEmboss)}; ${why}`;
}

/** An advice: the network has decided in place of Emboss. It may have an id of its own. */
export const isAdvice = ({ decision }: LifeEvent): boolean => decision?.source === 'network';

const GIVES_BACK = ['refund', 'authorization.clearing.reversal'];

/** An amount of an event, which never has a sign, as a transaction shows it: below zero if the card gets it back. */
export function eventAmount(
  { name }: { name: string },
  amount: string,
  kind?: TransactionDetail['kind'],
): string {
  const isAnnounced = kind === 'refund' && name === 'authorization';
  return GIVES_BACK.includes(name) || isAnnounced ? `-${amount}` : amount;
}

/** The event that decided the transaction itself, at last. Increments have decisions of their own. */
export const decidingEvent = ({ transaction, events }: TransactionLife): LifeEvent | undefined =>
  events.findLast(
    (event) => isAdvice(event) || (event.decision && event.messageId === transaction.externalTransactionId),
  );

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const inSentence = (label: string): string => label.charAt(0).toLowerCase() + label.slice(1);
