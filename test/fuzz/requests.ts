import { chooseCaller, keyHeaders, refusalOf } from './callers.ts';
import type { Dice } from './dice.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { kindOf, type Operation } from './operations.ts';
import { knownTo, type Pool, remember } from './pool.ts';
import type { Stage, Tenant } from './stage.ts';
import { pathParameters, targetOf, validQuery } from './targets.ts';
import { applyTrick } from './tricks.ts';
import { validValue } from './values.ts';

const RARE: Record<string, number> = {
  ...{ signIn: 0.15, changePassword: 0.1, signOut: 0.1, getSession: 0.5, moveClock: 0.3, blockCard: 0.5 },
  ...{
    createCard: 3,
    authorize: 5,
    simulateAuthorization: 4,
    clear: 2,
    reverse: 2,
    refund: 2,
    requestFile: 0.5,
  },
  ...{ checkLive: 0.3, checkReady: 0.3, resendMissedWebhookEvents: 0.3 },
};

/** Every operation as often as it is interesting. */
export function chooseOperation(operations: Operation[], dice: Dice): Operation {
  for (;;) {
    const operation = dice.pick(operations);
    if (dice.chance((RARE[kindOf(operation)] ?? 1) / 5)) return operation;
  }
}

export function makeRequest(
  operation: Operation,
  pool: Pool,
  stage: Stage,
  stranger: Tenant,
  dice: Dice,
  isPlain = false,
): FuzzRequest {
  const known = knownTo(pool, stage, dice);
  const caller = isPlain ? 'right' : chooseCaller(operation, dice);
  const parameters = pathParameters(operation, known);
  const value = operation.body && coherent(operation, validValue(operation.body, dice, known), pool, dice);
  const request: FuzzRequest = {
    trick: 'valid',
    operation,
    isDocumented: true,
    caller,
    method: operation.method,
    target: targetOf(operation, parameters, validQuery(operation, dice, known)),
    parameters,
    headers: [...keyHeaders(operation, caller, pool, stranger)],
    body: operation.body && Buffer.from(JSON.stringify(value)),
    value,
    refusedFor: refusalOf(operation, caller),
    wire: undefined,
    delivery: dice.chance(0.92) ? 'whole' : dice.chance(0.9) ? 'split' : 'slow',
  };
  const link = pool.links.at(-1);
  if (operation.id === 'downloadReport' && dice.chance(0.8) && link)
    request.target = link.slice(stage.url.length);
  if (operation.takesIdempotencyKey && dice.chance(0.4))
    request.headers.push(['idempotency-key', idempotencyKey(pool, dice)]);
  if (!isPlain && dice.chance(0.5)) applyTrick(request, dice, known);
  if (
    request.body !== undefined &&
    !request.headers.some(([name]) => name === 'content-type') &&
    dice.chance(0.97)
  )
    request.headers.push([
      'content-type',
      dice.chance(0.9) ? 'application/json' : 'Application/JSON; charset=UTF-8',
    ]);
  return request;
}

function idempotencyKey(pool: Pool, dice: Dice): string {
  if (pool.idempotencyKeys.length > 0 && dice.chance(0.3)) return dice.pick(pool.idempotencyKeys);
  const key = `key ${++pool.made}`;
  remember(pool.idempotencyKeys, key);
  return key;
}

/** Wrong for certain: a guess that is right once in a thousand would make the run another one. */
const wrongCvv = (cvv: string | undefined): string => String((Number(cvv ?? 0) + 1) % 1_000).padStart(3, '0');

/** Number, expiry and CVV of one card: chance alone would hardly ever bring them together. */
function coherent(operation: Operation, value: unknown, pool: Pool, dice: Dice): unknown {
  const body = value as Record<string, unknown>;
  const cards = pool.cards.filter(({ number }) => number !== undefined);
  if (operation.door !== 'network' || cards.length === 0) return value;
  const card = dice.pick(cards);
  if ('card_number' in body && dice.chance(0.95)) body['card_number'] = card.number;
  if ('expiry' in body && dice.chance(0.95)) body['expiry'] = card.expiry;
  if ('cvv' in body) body['cvv'] = dice.chance(0.9) ? card.cvv : wrongCvv(card.cvv);
  return body;
}
