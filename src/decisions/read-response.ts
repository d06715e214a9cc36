import { parseJson, scanJson } from '../http/scan-json.ts';
import { holdsNumberOf } from '../kernel/card-numbers.ts';
import { EmbossError, invalid } from '../kernel/error.ts';
import { formatAmount, MAX_AMOUNT_MINOR, parseAmount } from '../kernel/money.ts';
import { isReadableText } from '../kernel/text.ts';
import {
  type AuthorizationDecisionRequest,
  type DecisionResponse,
  type RequestOutcome,
  withoutResponse,
} from './decision.ts';

export const RESPONSE_BYTES = 4_096;
const REASON_LENGTH = 100;
const REFERENCE_LENGTH = 64;
const MOST_PAIRS = 10;
const PAIR_LENGTH = 100;

/** A response that can be used. */
export type ReadResponse = Omit<DecisionResponse, 'durationMs' | 'outcome'> & { outcome: RequestOutcome };

type Money = Pick<AuthorizationDecisionRequest, 'amountMinor' | 'currency' | 'partialAllowed'>;
/** The part of a request that its response is read by. */
export type Reading =
  | ({ kind: 'authorization' } & Money)
  | { kind: 'balance'; currency: string }
  | { kind: 'authentication' }
  | { kind: 'otp' };

/**
 * Reads the body of a response strictly. Undefined means that it was too long. A response that breaks a rule is `invalid`,
 * and `error` names the field and the rule, in fixed words.
 */
export function readResponse(
  body: Buffer | undefined,
  request: Reading,
  bin: string,
): ReadResponse | { outcome: 'invalid'; error: string } {
  // The status alone counts.
  if (request.kind === 'otp') return withoutResponse('sent', null);
  try {
    if (!body) throw invalid('body', `must be at most ${RESPONSE_BYTES} bytes`);
    const answer = parseJson(body, scanJson(body));
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
      throw invalid('body', 'must be an object');
    const fields = answer as Record<string, unknown>;
    return request.kind === 'balance'
      ? readBalance(fields, request.currency)
      : readFields(fields, request, bin);
  } catch (error) {
    if (!(error instanceof EmbossError)) throw error;
    return { outcome: 'invalid', error: error.message };
  }
}

/** The decisions of a kind, in the order in which an error lists them. */
const OUTCOMES = {
  authorization: { APPROVE: 'approved', DECLINE: 'declined' },
  authentication: { APPROVE: 'approved', CHALLENGE: 'challenged', DECLINE: 'declined' },
} as const;

function readFields(
  fields: Record<string, unknown>,
  request: Exclude<Reading, { kind: 'balance' | 'otp' }>,
  bin: string,
): ReadResponse {
  const { decision, approved_amount: amount } = fields;
  const outcomes = Object.entries(OUTCOMES[request.kind]);
  const [, outcome] = outcomes.find(([word]) => word === decision) ?? [];
  if (outcome === undefined)
    throw invalid('decision', `must be one of ${outcomes.map(([word]) => word).join(', ')}`);
  const text = (field: string, value: unknown, mostLength: number): string =>
    readText(field, value, mostLength, bin);
  const optional = <Value>(field: string, read: (value: unknown) => Value): Value | null =>
    fields[field] === undefined || fields[field] === null ? null : read(fields[field]);
  return {
    outcome,
    // A declined amount has no meaning.
    approvedMinor:
      amount === undefined || outcome !== 'approved' || request.kind !== 'authorization'
        ? undefined
        : readAmount(amount, request),
    reason: optional('reason', (value) => text('reason', value, REASON_LENGTH)),
    reference: optional('reference', (value) => text('reference', value, REFERENCE_LENGTH)),
    metadata: optional('metadata', (value) => {
      if (typeof value !== 'object' || Array.isArray(value)) throw invalid('metadata', 'must be an object');
      const pairs = Object.entries(value as object);
      if (pairs.length > MOST_PAIRS) throw invalid('metadata', `must have at most ${MOST_PAIRS} pairs`);
      return Object.fromEntries(
        pairs.map(([name, of]) => [
          text('metadata', name, PAIR_LENGTH),
          // The error does not name the pair: it must have fixed words only.
          text('metadata.*', of, PAIR_LENGTH),
        ]),
      );
    }),
  };
}

/** A balance can be below zero: clearings are never refused. */
function readBalance({ available_amount: value }: Record<string, unknown>, currency: string): ReadResponse {
  const availableMinor = typeof value === 'string' ? parseAmount(value, currency) : undefined;
  if (availableMinor === undefined)
    throw invalid(
      'available_amount',
      `must be a decimal string in ${currency}, such as "${formatAmount(12_500n, currency)}"`,
    );
  if (availableMinor > MAX_AMOUNT_MINOR || availableMinor < -MAX_AMOUNT_MINOR) {
    const most = formatAmount(MAX_AMOUNT_MINOR, currency);
    throw invalid('available_amount', `must be at most ${most}, and at least -${most}`);
  }
  return { ...withoutResponse('approved', null), availableMinor };
}

function readAmount(value: unknown, { amountMinor, currency, partialAllowed }: Money): bigint | undefined {
  const whole = formatAmount(amountMinor, currency);
  const minor = typeof value === 'string' ? parseAmount(value, currency) : undefined;
  if (minor === undefined)
    throw invalid('approved_amount', `must be a decimal string in ${currency}, such as "${whole}"`);
  if (minor === amountMinor) return undefined;
  if (minor <= 0n || minor > amountMinor)
    throw invalid('approved_amount', `must be more than 0 and at most ${whole}`);
  if (!partialAllowed)
    throw invalid('approved_amount', `must be ${whole}: a partial approval is not allowed`);
  return minor;
}

function readText(field: string, value: unknown, mostLength: number, bin: string): string {
  if (typeof value !== 'string') throw invalid(field, 'must be a string');
  if ([...value].length > mostLength) throw invalid(field, `must be at most ${mostLength} characters`);
  if (!isReadableText(value))
    throw invalid(field, 'must not contain control, invisible or invalid characters');
  if (holdsNumberOf(bin, value)) throw invalid(field, 'must not contain a card number');
  return value;
}
