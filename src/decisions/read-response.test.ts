import { describe, expect, test } from 'vitest';
import { RESPONSE_BYTES, readResponse } from './read-response.ts';

const BIN = '999900';
const NUMBER = '9999001234567891';
const QUESTION = {
  kind: 'authorization' as const,
  amountMinor: 1250n,
  currency: 'EUR',
  partialAllowed: false,
};
const read = (answer: unknown, question = QUESTION) =>
  readResponse(Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer)), question, BIN);
const text = (length: number) => 'x'.repeat(length);

describe('an answer', () => {
  test('approves or declines', () => {
    const none = { approvedMinor: undefined, reason: null, reference: null, metadata: null };
    expect(read({ decision: 'APPROVE' })).toEqual({ outcome: 'approved', ...none });
    expect(read({ decision: 'DECLINE' })).toEqual({ outcome: 'declined', ...none });
    expect(read('\uFEFF{"decision": "APPROVE"}')).toEqual({ outcome: 'approved', ...none });
  });

  test('has a reason, a reference and metadata', () => {
    const given = { reason: 'limit_exceeded', reference: 'd-1', metadata: { score: '17', rule: 'Länder' } };
    expect(read({ decision: 'DECLINE', ...given, more: [1], constructor: 'x' })).toEqual({
      outcome: 'declined',
      approvedMinor: undefined,
      ...given,
    });
    const nothing = { reason: null, reference: null, metadata: null };
    expect(read({ decision: 'DECLINE', ...nothing })).toMatchObject({ outcome: 'declined', ...nothing });
  });

  test('has texts up to their limits, counted in characters', () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 10 }, (_, n) => [`${n}${text(99)}`, '😀'.repeat(100)]),
    );
    const given = { reason: text(100), reference: text(64), metadata };
    expect(read({ decision: 'APPROVE', ...given }, QUESTION)).toMatchObject({
      outcome: 'approved',
      ...given,
    });
  });

  test.each([
    [{}, 'decision: must be one of APPROVE, DECLINE'],
    [{ decision: 'approve' }, 'decision: must be one of APPROVE, DECLINE'],
    [{ decision: true }, 'decision: must be one of APPROVE, DECLINE'],
    [{ decision: ['APPROVE'] }, 'decision: must be one of APPROVE, DECLINE'],
    ['', 'body: must be JSON'],
    ['ok', 'body: must be JSON'],
    ['<html>', 'body: must be JSON'],
    ['{"decision": "APPROVE"', 'body: must be JSON'],
    ['null', 'body: must be an object'],
    ['"APPROVE"', 'body: must be an object'],
    [[{ decision: 'APPROVE' }], 'body: must be an object'],
    [
      '{"decision": "DECLINE", "decision": "APPROVE"}',
      'body: must not have the same key twice in one object',
    ],
    [`${'['.repeat(33)}${']'.repeat(33)}`, 'body: must not be nested deeper than 32'],
    [{ decision: 'APPROVE', reason: 5 }, 'reason: must be a string'],
    [{ decision: 'APPROVE', reason: text(101) }, 'reason: must be at most 100 characters'],
    [
      { decision: 'APPROVE', reason: 'a\u0000b' },
      'reason: must not contain control, invisible or invalid characters',
    ],
    [
      { decision: 'APPROVE', reason: 'a\u202eb' },
      'reason: must not contain control, invisible or invalid characters',
    ],
    [{ decision: 'APPROVE', reason: `for ${NUMBER}` }, 'reason: must not contain a card number'],
    [{ decision: 'APPROVE', reference: 4711 }, 'reference: must be a string'],
    [{ decision: 'APPROVE', reference: text(65) }, 'reference: must be at most 64 characters'],
    [{ decision: 'APPROVE', reference: '9999-0012-3456-7891' }, 'reference: must not contain a card number'],
    [{ decision: 'APPROVE', metadata: [] }, 'metadata: must be an object'],
    [{ decision: 'APPROVE', metadata: 'x' }, 'metadata: must be an object'],
    [{ decision: 'APPROVE', metadata: { score: 17 } }, 'metadata.*: must be a string'],
    [{ decision: 'APPROVE', metadata: { score: null } }, 'metadata.*: must be a string'],
    [{ decision: 'APPROVE', metadata: { a: text(101) } }, 'metadata.*: must be at most 100 characters'],
    [{ decision: 'APPROVE', metadata: { [text(101)]: 'a' } }, 'metadata: must be at most 100 characters'],
    [{ decision: 'APPROVE', metadata: { [NUMBER]: 'a' } }, 'metadata: must not contain a card number'],
    [{ decision: 'APPROVE', metadata: { a: NUMBER } }, 'metadata.*: must not contain a card number'],
    [
      { decision: 'APPROVE', metadata: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [n, 'a'])) },
      'metadata: must have at most 10 pairs',
    ],
  ])('%j is invalid', (answer, error) => {
    expect(read(answer)).toEqual({ outcome: 'invalid', error });
  });

  test('that is too long or is not UTF-8 is invalid', () => {
    expect(readResponse(undefined, QUESTION, BIN)).toEqual({
      outcome: 'invalid',
      error: `body: must be at most ${RESPONSE_BYTES} bytes`,
    });
    const bytes = Buffer.concat([
      Buffer.from('{"decision": "APPROVE", "reason": "'),
      Buffer.from([0xff, 0x22, 0x7d]),
    ]);
    expect(readResponse(bytes, QUESTION, BIN)).toEqual({
      outcome: 'invalid',
      error: 'body: must be UTF-8 text',
    });
  });

  test('may repeat digits that are not a card number of the program', () => {
    expect(read({ decision: 'APPROVE', reference: '4111111111111111' })).toMatchObject({
      outcome: 'approved',
    });
  });
});

describe('an approved amount', () => {
  const PARTIAL = { ...QUESTION, partialAllowed: true };
  const amount = (approved_amount: unknown, question = PARTIAL) =>
    read({ decision: 'APPROVE', approved_amount }, question);
  const format = 'approved_amount: must be a decimal string in EUR, such as "12.50"';
  const range = 'approved_amount: must be more than 0 and at most 12.50';

  test('can be the whole amount, or less if that is allowed', () => {
    expect(amount('12.50', QUESTION)).toMatchObject({ outcome: 'approved', approvedMinor: undefined });
    expect(amount('12.5', QUESTION)).toMatchObject({ outcome: 'approved', approvedMinor: undefined });
    expect(amount('12.49')).toMatchObject({ outcome: 'approved', approvedMinor: 1249n });
    expect(amount('0.01')).toMatchObject({ outcome: 'approved', approvedMinor: 1n });
    expect(amount('12.49', QUESTION)).toEqual({
      outcome: 'invalid',
      error: 'approved_amount: must be 12.50: a partial approval is not allowed',
    });
  });

  test.each([
    [12.5, format],
    [12, format],
    [null, format],
    ['', format],
    ['12,50', format],
    ['1e1', format],
    [' 12.50', format],
    ['12.501', format],
    ['0x0c', format],
    ['12.51', range],
    ['99999999999999999999', range],
    ['0', range],
    ['0.00', range],
    ['-1.00', range],
  ])('of %j is invalid', (value, error) => {
    expect(amount(value)).toEqual({ outcome: 'invalid', error });
  });

  test('has the decimals of the currency', () => {
    const yen = { kind: 'authorization' as const, amountMinor: 1250n, currency: 'JPY', partialAllowed: true };
    expect(amount('1249', yen)).toMatchObject({ approvedMinor: 1249n });
    expect(amount('1249.0', yen)).toMatchObject({ outcome: 'invalid' });
  });

  test('has no meaning in a decline', () => {
    expect(read({ decision: 'DECLINE', approved_amount: 0 })).toMatchObject({
      outcome: 'declined',
      approvedMinor: undefined,
    });
  });
});

describe('the balance of an inquiry', () => {
  const balance = (answer: unknown, currency = 'EUR') =>
    readResponse(Buffer.from(JSON.stringify(answer)), { kind: 'balance', currency }, BIN);

  test.each([
    ['EUR', '250.00', 25_000n],
    ['EUR', '250.5', 25_050n],
    ['EUR', '250', 25_000n],
    ['EUR', '0.00', 0n],
    ['EUR', '-12.50', -1_250n],
    ['EUR', '9999999999999.99', 999_999_999_999_999n],
    ['JPY', '1500', 1_500n],
    ['KWD', '1.234', 1_234n],
  ])('in %s: %s', (currency, available_amount, availableMinor) => {
    expect(balance({ available_amount, decision: 'DECLINE', more: 1 }, currency)).toMatchObject({
      outcome: 'approved',
      availableMinor,
      approvedMinor: undefined,
      reason: null,
    });
  });

  const format = 'available_amount: must be a decimal string in EUR, such as "125.00"';
  const range = 'available_amount: must be at most 9999999999999.99, and at least -9999999999999.99';
  test.each([
    [{ decision: 'APPROVE' }, format],
    [{ available_amount: null }, format],
    [{ available_amount: 250 }, format],
    [{ available_amount: '' }, format],
    [{ available_amount: '1e3' }, format],
    [{ available_amount: '1.001' }, format],
    [{ available_amount: '+1.00' }, format],
    [{ available_amount: '10000000000000.00' }, range],
    [{ available_amount: '-10000000000000.00' }, range],
    [[], 'body: must be an object'],
  ])('%j is invalid', (answer, error) => {
    expect(balance(answer)).toEqual({ outcome: 'invalid', error });
  });

  test('has no more decimals than its currency', () => {
    const error = 'available_amount: must be a decimal string in JPY, such as "12500"';
    expect(balance({ available_amount: '1500.00' }, 'JPY')).toEqual({ outcome: 'invalid', error });
  });
});
