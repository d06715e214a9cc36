import { expect, test } from 'vitest';
import { decisionWords } from '../console/src/features/transactions/decision-words.ts';

type Event = Parameters<typeof decisionWords>[0];
type Decision = NonNullable<Event['decision']>;

const NOTHING_SAID = { reason: null, reference: null, metadata: null };
const merchant = (outcome: 'approved' | 'declined', more: Partial<Decision> = {}): Decision => ({
  source: 'merchant',
  outcome,
  duration_ms: 41,
  ...NOTHING_SAID,
  ...more,
});
const standIn = (outcome: Decision['outcome']): Decision => ({
  source: 'stand_in',
  outcome,
  duration_ms: 2_000,
  ...NOTHING_SAID,
});
const own = (source: 'emboss' | 'network', reason: string | null = null): Decision => ({
  source,
  outcome: 'approved',
  duration_ms: null,
  ...NOTHING_SAID,
  reason,
});
const because = (reason: string): Event['decline'] => ({
  reason,
  code: '',
  networkCode: '',
  meaning: '',
  remedy: '',
  limits: null,
});

test.each<[Decision, string | null, string]>([
  [merchant('approved'), null, 'Approved by your server in 41 ms'],
  [merchant('approved', { reference: 'w-1' }), null, 'Approved by your server in 41 ms (reference w-1)'],
  [merchant('declined'), 'program_declined', 'Declined by your server in 41 ms'],
  [
    merchant('declined', { reason: 'insufficient_funds', reference: 'w-1' }),
    'program_insufficient_funds',
    'Declined by your server in 41 ms: insufficient_funds (reference w-1)',
  ],
  [
    merchant('approved'),
    'card_frozen',
    'Approved by your server in 41 ms, then declined by Emboss: card frozen',
  ],
  [
    merchant('approved', { reference: 'w-1' }),
    'cvv_mismatch',
    'Approved by your server in 41 ms (reference w-1), then declined by Emboss: wrong CVV',
  ],
  [standIn('timeout'), 'decision_timeout', 'Declined: your server did not answer within the time limit'],
  [standIn('unreachable'), 'decision_unavailable', 'Declined: your server could not be reached'],
  [standIn('invalid'), 'decision_invalid', 'Declined: the answer of your server cannot be used'],
  [standIn('paused'), 'decision_unavailable', 'Declined: the endpoint of your server was paused'],
  [standIn('timeout'), null, 'Approved in place of your server, which did not answer within the time limit'],
  [standIn('unreachable'), null, 'Approved in place of your server, which could not be reached'],
  [
    { ...standIn('unreachable'), duration_ms: null },
    null,
    'Approved in place of your server, which got no request',
  ],
  [standIn('invalid'), null, 'Approved in place of your server, whose answer cannot be used'],
  [standIn('paused'), null, 'Approved in place of your server, whose endpoint was paused'],
  [
    standIn('timeout'),
    'insufficient_funds',
    'Declined by Emboss: insufficient funds; your server did not answer within the time limit',
  ],
  [own('emboss'), null, 'Decided by Emboss'],
  [own('emboss'), 'card_frozen', 'Decided by Emboss'],
  [own('network'), null, 'Decided by the card network in place of Emboss'],
  [
    own('network', 'issuer timeout'),
    'stand_in_declined',
    'Decided by the card network in place of Emboss: issuer timeout',
  ],
])('%j with the decline %s is shown as a sentence', (decision, reason, words) => {
  const decline = reason === null ? null : because(reason);
  expect(decisionWords({ decision, decline, billAmount: '12.50' })).toBe(words);
});

test.each<[Decision, string | null, string]>([
  [merchant('approved'), null, 'Balance given by your server in 41 ms'],
  [
    merchant('approved'),
    'card_frozen',
    'Balance given by your server in 41 ms, then declined by Emboss: card frozen',
  ],
  [standIn('timeout'), null, 'Approved without a balance: your server did not answer within the time limit'],
  [
    standIn('invalid'),
    'card_frozen',
    'Declined by Emboss: card frozen; the answer of your server cannot be used',
  ],
  [own('emboss'), null, 'Decided by Emboss'],
])('a balance inquiry with %j and the decline %s is shown as a sentence', (decision, reason, words) => {
  const decline = reason === null ? null : because(reason);
  expect(decisionWords({ decision, decline, billAmount: '0.00' })).toBe(words);
});

test('an event without a decision has no such sentence', () => {
  expect(decisionWords({ decision: null, decline: null, billAmount: '12.50' })).toBeNull();
});
