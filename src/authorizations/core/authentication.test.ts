import { describe, expect, test } from 'vitest';
import { CARD_ID, someProgram } from '../../../test/support/cards/authorization-facts.ts';
import {
  type AuthenticationFacts,
  judgeAuthentication,
  lacksAuthentication,
  raisedTo,
} from './authentication.ts';

const purchase = { messageId: 'net-1', cardId: CARD_ID, amountMinor: 1_000n, currency: 'USD' };
const found: AuthenticationFacts = {
  authenticationId: 'a-1',
  cardId: CARD_ID,
  isAuthenticated: true,
  amountMinor: 1_000n,
  currency: 'USD',
  usedBy: null,
};
const judged = (facts: AuthenticationFacts | undefined) =>
  judgeAuthentication({ authenticationId: 'a-1' }, facts, purchase);

describe('an authentication', () => {
  test.each<[string, Partial<AuthenticationFacts>, string | null]>([
    ['for exactly the amount', {}, null],
    ['for more', { amountMinor: 1_001n }, null],
    ['used by the same purchase', { usedBy: 'net-1' }, null],
    ['for a minor unit less', { amountMinor: 999n }, 'amount_exceeded'],
    ['not completed', { isAuthenticated: false }, 'not_authenticated'],
    ['of another card', { cardId: 'card-2' }, 'other_card'],
    ['of no card', { cardId: null }, 'other_card'],
    ['used by another purchase', { usedBy: 'net-2' }, 'already_used'],
    ['in another currency', { currency: 'EUR' }, 'other_currency'],
  ])('%s', (_name, changes, reason) => {
    const facts = { ...found, ...changes };
    const { amountMinor } = facts;
    expect(judged(facts)).toEqual({ authenticationId: 'a-1', eci: null, reason, amountMinor });
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
    const one = judgeAuthentication({ eci }, undefined, purchase);
    expect(one).toEqual({ authenticationId: null, eci, reason, amountMinor: null });
    expect(raisedTo(one, 10n ** 15n)).toBe(one);
  });

  test('covers a raised purchase up to its amount', () => {
    const one = judged(found);
    expect(raisedTo(one, 1_000n)).toBe(one);
    expect(raisedTo(one, 1_001n)).toEqual({ ...one, reason: 'amount_exceeded' });
    const used = judged({ ...found, usedBy: 'net-2' });
    expect(raisedTo(used, 1_001n)).toBe(used);
    expect(raisedTo(null, 1_001n)).toBeNull();
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
  const authentication = eci === 'none' ? null : judgeAuthentication({ eci }, undefined, purchase);
  expect(lacksAuthentication(program, { channel, billAmountMinor: billMinor }, authentication)).toBe(lacks);
});
