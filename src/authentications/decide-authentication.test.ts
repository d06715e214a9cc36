import { describe, expect, test } from 'vitest';
import { type Authentication, asOf } from './authentication.ts';
import { decideAuthentication, type Facts, type KnownCard, refusalOf } from './decide-authentication.ts';

const TODAY = '2026-11-15';
const card = {
  status: 'ACTIVE',
  expiryDate: '2029-11-15',
  numberId: 'n-1',
  threeDsForwarding: false,
} as const;
const known = (changes: Partial<KnownCard> = {}): KnownCard => ({
  card,
  numberId: 'n-1',
  ...changes,
});

test.each<[string | undefined, KnownCard | undefined, string | undefined]>([
  [undefined, known(), '2029-11'],
  [undefined, known(), undefined],
  ['unknown_card', undefined, undefined],
  ['unknown_card', known({ numberId: 'former', card: { ...card, status: 'BLOCKED' } }), undefined],
  ['card_blocked', known({ card: { ...card, status: 'BLOCKED', expiryDate: '2020-01-01' } }), '2029-12'],
  ['card_frozen', known({ card: { ...card, status: 'FROZEN' } }), '2029-12'],
  ['card_expired', known({ card: { ...card, expiryDate: '2026-11-14' } }), '2026-12'],
  ['expiry_mismatch', known(), '2029-12'],
])('a card is refused as %s', (reason, given, expiry) => {
  expect(refusalOf(given, expiry, TODAY)).toBe(reason);
});

const facts = (changes: Partial<Facts> = {}, request: Partial<Facts['request']> = {}): Facts => ({
  request: {
    purpose: '3ds',
    amountMinor: 1250n,
    currency: 'EUR',
    deviceChannel: 'BROWSER',
    category: 'PAYMENT',
    challenge: 'NO_PREFERENCE',
    ...request,
  },
  program: { currency: 'EUR', challengeAboveMinor: null, mode: 'live' },
  refusal: undefined,
  decision: undefined,
  forwarding: false,
  hasOtpEndpoint: true,
  wrongCodes: 0,
  sentCodes: 0,
  ...changes,
});
const above = (challengeAboveMinor: bigint) => ({
  program: { currency: 'EUR', challengeAboveMinor, mode: 'live' as const },
});
const reached = { wrongCodes: 10, sentCodes: 20 };
const wallet = { purpose: 'wallet', amountMinor: null, currency: null, deviceChannel: null } as const;

describe('an authentication is decided', () => {
  test.each<[string, string, Facts]>([
    ['R card_frozen', 'a refusal comes first', facts({ refusal: 'card_frozen', decision: 'approved' })],
    ['C OTP', 'without a rule: always a challenge', facts()],
    ['Y', 'up to the limit', facts(above(1250n))],
    ['C OTP', 'above the limit', facts(above(1249n))],
    ['C OTP', 'in another currency', facts(above(9999n), { currency: 'USD' })],
    ['C OTP', 'no payment', facts(above(9999n), { category: 'NON_PAYMENT' })],
    ['C OTP', 'mandated', facts(above(9999n), { challenge: 'MANDATED' })],
    ['Y', 'approved by the merchant', facts({ decision: 'approved' })],
    ['Y', 'not wanted changes nothing', facts({ decision: 'approved' }, { challenge: 'NOT_WANTED' })],
    ['C OTP', 'approved, but mandated', facts({ decision: 'approved' }, { challenge: 'MANDATED' })],
    ['R declined_by_program', 'declined by the merchant', facts({ decision: 'declined', ...above(9999n) })],
    ['C OTP', 'the endpoint outweighs the rule', facts({ decision: 'challenged', ...above(9999n) })],
    ['C OTP', 'no answer in time', facts({ decision: 'timeout', ...above(9999n) })],
    ['C OTP', 'paused', facts({ decision: 'paused', ...above(9999n) })],
    ['C OUT_OF_BAND', 'forwarded', facts({ forwarding: true, hasOtpEndpoint: false })],
    [
      'C OUT_OF_BAND',
      'forwarded without a cardholder',
      facts({ forwarding: true }, { deviceChannel: 'MERCHANT' }),
    ],
    ['U no_channel', 'no page to enter a code', facts({}, { deviceChannel: 'MERCHANT' })],
    ['U no_channel', 'live without an endpoint', facts({ hasOtpEndpoint: false })],
    [
      'C OTP',
      'sandbox without an endpoint',
      facts({
        hasOtpEndpoint: false,
        program: { currency: 'EUR', challengeAboveMinor: null, mode: 'sandbox' },
      }),
    ],
    [
      'C OTP',
      'a wallet needs a code, also if forwarded',
      facts({ forwarding: true, ...above(9999n) }, wallet),
    ],
    ['C OTP', 'below both limits', facts({ wrongCodes: 9, sentCodes: 19 })],
    ['R too_many_attempts', 'after ten wrong codes', facts({ wrongCodes: 10 })],
    ['U too_many_sends', 'after twenty codes', facts({ sentCodes: 20 }, wallet)],
    ['Y', 'frictionless, whatever the limits', facts({ ...reached, ...above(1250n) })],
    ['C OUT_OF_BAND', 'forwarded, whatever the limits', facts({ ...reached, forwarding: true })],
    ['U no_channel', 'a wallet without a channel', facts({ hasOtpEndpoint: false }, wallet)],
  ])('%s: %s', (expected, _when, given) => {
    const { transStatus, reason, method } = decideAuthentication(given);
    expect([transStatus, reason, method].filter(Boolean).join(' ')).toBe(expected);
  });
});

test('a challenge counts as expired from its last millisecond on, and a result stays', () => {
  const challenge = { status: 'CHALLENGE', expiresAt: new Date(1_000), method: 'OTP' } as Authentication;
  expect(asOf(challenge, 999)).toBe(challenge);
  expect(asOf(challenge, 1_000)).toMatchObject({ status: 'REJECTED', transStatus: 'N', reason: 'expired' });
  const done = { ...challenge, status: 'AUTHENTICATED' } as Authentication;
  expect(asOf(done, 2_000)).toBe(done);
});
