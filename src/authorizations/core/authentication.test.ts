import { describe, expect, test } from 'vitest';
import { CARD_ID, NOW_MS, someProgram, TODAY } from '../../../test/support/cards/authorization-facts.ts';
import {
  type AuthenticationFacts,
  type AuthenticationShare,
  judgeAuthentication,
  lacksAuthentication,
  raisedTo,
} from './authentication.ts';

const DAY = 86_400_000;
const share = (externalTransactionId: string, minor: bigint): AuthenticationShare => ({
  externalTransactionId,
  minor,
});
const purchase = {
  transactionId: 't-1',
  cardId: CARD_ID,
  merchantId: 'm-1',
  amountMinor: 1_000n,
  currency: 'USD',
  splitOf: undefined as string | undefined,
};
const found: AuthenticationFacts = {
  authenticationId: 'a-1',
  cardId: CARD_ID,
  merchantId: 'm-1',
  isAuthenticated: true,
  completedAt: new Date(NOW_MS),
  amountMinor: 1_000n,
  currency: 'USD',
  usedBy: [],
};
const term = { today: TODAY, authenticationDays: 90 };
const judged = (
  facts: AuthenticationFacts | undefined,
  shares: readonly AuthenticationShare[] = [],
  splitOf?: string,
) => judgeAuthentication({ authenticationId: 'a-1' }, facts, shares, { ...purchase, splitOf }, term);

describe('an authentication', () => {
  test.each<[string, Partial<AuthenticationFacts>, string | null]>([
    ['for exactly the amount', {}, null],
    ['for more', { amountMinor: 1_001n }, null],
    ['used by the same purchase', { usedBy: ['t-1'] }, null],
    ['for a minor unit less', { amountMinor: 999n }, 'amount_exceeded'],
    ['not completed', { isAuthenticated: false, completedAt: null }, 'not_authenticated'],
    ['of another card', { cardId: 'card-2' }, 'other_card'],
    ['of no card', { cardId: null }, 'other_card'],
    ['of another merchant', { merchantId: 'm-2' }, 'other_merchant'],
    ['of 90 days ago', { completedAt: new Date(NOW_MS - 90 * DAY) }, null],
    ['of 91 days ago', { completedAt: new Date(NOW_MS - 91 * DAY) }, 'expired'],
    ['used by another purchase', { usedBy: ['t-2'] }, 'already_used'],
    ['in another currency', { currency: 'EUR' }, 'other_currency'],
  ])('%s', (_name, changes, reason) => {
    const facts = { ...found, ...changes };
    const { amountMinor } = facts;
    expect(judged(facts)).toEqual({ authenticationId: 'a-1', eci: null, reason, amountMinor });
  });

  test('counts by days in UTC', () => {
    const lastOf = (at: string, authenticationDays: number, today: string) =>
      judgeAuthentication(
        { authenticationId: 'a-1' },
        { ...found, completedAt: new Date(at) },
        [],
        purchase,
        { today, authenticationDays },
      ).reason;
    for (const at of ['2030-02-28T00:00:00Z', '2030-02-28T23:59:59.999Z']) {
      expect(lastOf(at, 1, '2030-02-28')).toBeNull();
      expect(lastOf(at, 1, '2030-03-01')).toBeNull();
      expect(lastOf(at, 1, '2030-03-02')).toBe('expired');
    }
  });

  test.each<[string, AuthenticationShare[], string, string | null]>([
    ['of a purchase that left enough', [share('net-1', 0n)], 'net-1', null],
    ['of one that left a minor unit less', [share('net-1', 1n)], 'net-1', 'amount_exceeded'],
    ['of several together', [share('net-1', 0n), share('net-2', 1n)], 'net-1', 'amount_exceeded'],
    ['of a later one that shares it', [share('net-1', 0n), share('net-2', 0n)], 'net-2', null],
    ['of one that does not', [share('net-1', 0n)], 'net-2', 'other_purchase'],
    ['of one before any has used it', [], 'net-1', 'other_purchase'],
  ])('shared: %s', (_name, shares, splitOf, reason) => {
    const usedBy = shares.map((_, index) => `used-${index}`);
    expect(judged({ ...found, usedBy }, shares, splitOf).reason).toBe(reason);
  });

  test('that is unknown does not count', () => {
    expect(judged(undefined)).toMatchObject({ authenticationId: 'a-1', reason: 'unknown' });
  });

  test.each([
    ['05', null],
    ['02', null],
    ['06', 'attempted'],
    ['01', 'attempted'],
    ['07', 'not_authenticated'],
    ['00', 'not_authenticated'],
    ['03', 'not_authenticated'],
    ['04', 'not_authenticated'],
  ])('by the ECI %s: %s', (eci, reason) => {
    const one = judgeAuthentication({ eci }, undefined, [], purchase, term);
    expect(one).toEqual({ authenticationId: null, eci, reason, amountMinor: null });
    expect(raisedTo(one, 10n ** 15n, [])).toBe(one);
  });

  test('covers a raised purchase up to its amount', () => {
    const one = judged(found);
    expect(raisedTo(one, 1_000n, [])).toBe(one);
    expect(raisedTo(one, 1_001n, [])).toEqual({ ...one, reason: 'amount_exceeded' });
    expect(raisedTo(one, 700n, [share('net-2', 300n)])).toBe(one);
    expect(raisedTo(one, 701n, [share('net-2', 300n)])).toEqual({ ...one, reason: 'amount_exceeded' });
    const used = judged({ ...found, usedBy: ['t-2'] });
    expect(raisedTo(used, 1_001n, [])).toBe(used);
    expect(raisedTo(null, 1_001n, [])).toBeNull();
  });
});

test.each([
  ['above', 'ECOMMERCE', 500n, 501n, 'none', true],
  ['exactly', 'ECOMMERCE', 500n, 500n, 'none', false],
  ['above zero', 'ECOMMERCE', 0n, 1n, 'none', true],
  ['zero', 'ECOMMERCE', 0n, 0n, 'none', false],
  ['not required', 'ECOMMERCE', null, 501n, 'none', false],
  ['in a shop', 'POS', 500n, 501n, 'none', false],
  ['without a channel', null, 500n, 501n, 'none', false],
  ['authenticated', 'ECOMMERCE', 500n, 501n, '05', false],
  ['attempted', 'ECOMMERCE', 500n, 501n, '06', true],
] as const)('the requirement: %s', (_name, channel, aboveMinor, billMinor, eci, lacks) => {
  const program = someProgram({ requireAuthenticationAboveMinor: aboveMinor });
  const authentication = eci === 'none' ? null : judgeAuthentication({ eci }, undefined, [], purchase, term);
  const asked = { channel, type: 'PURCHASE', network: null, billAmountMinor: billMinor } as const;
  expect(lacksAuthentication(program, asked, authentication)).toBe(lacks);
});

test.each([
  ['a merchant pays itself', 'PURCHASE', { initiator: 'MERCHANT' }, false],
  ['an online refund', 'CREDIT', null, false],
  ['an exemption that the program allows', 'PURCHASE', { exemption: 'LOW_VALUE' }, false],
  ['one that it does not allow', 'PURCHASE', { exemption: 'CORPORATE' }, true],
  ['no exemption', 'PURCHASE', { exemption: 'NONE' }, true],
  ['an unknown word', 'PURCHASE', { exemption: null, initiator: null }, true],
] as const)(
  'the requirement leaves out what the regulation leaves out: %s',
  (_name, type, network, lacks) => {
    const program = someProgram({
      requireAuthenticationAboveMinor: 0n,
      allowedExemptions: ['LOW_VALUE', 'NONE'],
    });
    const asked = { channel: 'ECOMMERCE', type, network, billAmountMinor: 1n } as const;
    expect(lacksAuthentication(program, asked, null)).toBe(lacks);
  },
);
