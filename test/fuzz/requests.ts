import { linesOf, ndjsonOf } from '../support/settlement/records.ts';
import { chooseCaller, keyHeaders, refusalOf } from './callers.ts';
import type { Dice } from './dice.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { isConfirmed, kindOf, type Operation } from './operations.ts';
import { knownTo, type Pool, remember } from './pool.ts';
import { PASSWORD, type Stage, type Tenant } from './stage.ts';
import { pathParameters, targetOf, validQuery } from './targets.ts';
import { applyTrick } from './tricks.ts';
import { validValue } from './values.ts';

const RARE: Record<string, number> = {
  ...{
    signIn: 0.15,
    changePassword: 0.1,
    signOut: 0.1,
    getSession: 0.5,
    beginSecondFactor: 0.2,
    moveClock: 0.3,
    blockCard: 0.5,
  },
  ...{
    createCard: 3,
    authorize: 5,
    simulateAuthorization: 4,
    clear: 2,
    reverse: 2,
    refund: 2,
    increment: 2,
    requestFile: 0.5,
    authenticate: 3,
    promoteRule: 5,
    demoteRule: 4,
  },
  ...{ checkLive: 0.3, checkReady: 0.3, resendMissedWebhookEvents: 0.3 },
};

/** A password is checked at its full price, one after the other, and other requests wait for theirs. */
const WITH_PASSWORD = 0.1;

/** Every operation as often as it is interesting. */
export function chooseOperation(operations: Operation[], dice: Dice): Operation {
  for (;;) {
    const operation = dice.pick(operations);
    const share = isConfirmed(operation) ? WITH_PASSWORD : (RARE[kindOf(operation)] ?? 1);
    if (dice.chance(share / 5)) return operation;
  }
}

export function makeRequest(
  operation: Operation,
  pool: Pool,
  stage: Stage,
  other: Tenant,
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
    headers: [...keyHeaders(operation, caller, pool, other)],
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
  if (operation.id === 'sendClearingFile' && request.trick === 'valid') {
    request.body = Buffer.from(ndjsonOf(linesOf('clr-1', [])));
    request.headers.push(['content-type', 'application/x-ndjson']);
  }
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

/** Certainly wrong: a guess that is right once in a thousand would change the rest of the run. */
const wrongCvv = (cvv: string | undefined): string => String((Number(cvv ?? 0) + 1) % 1_000).padStart(3, '0');

/** Values that belong together: random choices would hardly ever combine them. */
function coherent(operation: Operation, value: unknown, pool: Pool, dice: Dice): unknown {
  const body = value as Record<string, unknown>;
  const kind = kindOf(operation);
  if (/clear|reverse|refund|Clearing|Reversal|Refund/.test(kind) && dice.chance(0.6))
    nameHeld(body, pool, dice);
  if (/ncrement/.test(kind) && dice.chance(0.8)) raiseHeld(body, pool, dice);
  if (/^reverse|Reversal/.test(kind)) nameOne(body, pool, dice);
  if (dice.chance(0.8)) billTheAmount(body);
  if (body['authentication'] && dice.chance(0.9)) proveOnce(body, dice);
  if (/^authenticate$|Authentication$/.test(kind) && dice.chance(0.5)) return ofForwarded(body, pool);
  if (operation.api === 'network') return ofOneCard(body, pool, dice);
  if (dice.chance(0.2)) return body;
  // A card that can spend nothing, or is frozen, is always declined.
  if (kind === 'consoleReadCardCsv') return { lines: cardLines(pool) };
  if (kind === 'acceptInvitation') return ofInvited(body, pool);
  if (kind === 'createCard') return { spendLimit: 1_000, ...body };
  if (kind === 'freezeCard' || kind === 'freezeCustomer') return { ...body, freeze: dice.chance(0.25) };
  if (kind === 'changeForwarding') return { ...body, enabled: dice.chance(0.75) };
  if (kind === 'moveClock') return oneMove(body);
  if (kind === 'signIn') return ofGuest(body, pool);
  if (/Person|^resetPassword/.test(kind) || isConfirmed(operation)) return confirmed(body, pool);
  if (kind === 'registerKycApplicant')
    return { ...body, kyc: { ...WHOLE_RECORD, ...(body['kyc'] as object) } };
  return body;
}

/** The newest card whose challenges go to the merchant. */
function ofForwarded(body: Record<string, unknown>, pool: Pool): Record<string, unknown> {
  const { expiry: _, ...others } = body;
  const card = pool.cards.findLast(({ isForwarded, number }) => isForwarded && number);
  if (!card) return others;
  return { ...others, ...('card_id' in body ? { card_id: card.id } : { card_number: card.number }) };
}

/** By the lane's administrator, whose password never changes, for the lane's program. */
const confirmed = (body: Record<string, unknown>, pool: Pool): Record<string, unknown> => ({
  ...body,
  ...('email' in body && { email: `${++pool.made}-of-${pool.tenant.programId}@example.com` }),
  ...('programId' in body && { programId: pool.tenant.programId }),
  password: PASSWORD,
});

/** The newest link, which can be opened once, by a person with a password of their own. */
const ofInvited = (body: Record<string, unknown>, pool: Pool): Record<string, unknown> => ({
  ...body,
  token: pool.invitations.at(-1)?.token ?? body['token'],
  name: 'Grace Hopper',
  password: `another password ${++pool.made}`,
});

/** A file with one card. It is not whole, which is an error of its row and not of the request. */
const cardLines = (pool: Pool): string[] => ['cardType,meta.id', `virtual,customer-${++pool.made}`];

/** With a code only where one is required. */
const ofGuest = (body: Record<string, unknown>, { guest }: Pool): Record<string, unknown> => ({
  ...body,
  email: guest.email,
  password: guest.password,
  ...(guest.secret !== undefined && { code: guest.recoveryCodes[0] }),
});

/** A purchase with a hold, which can be cleared or reversed. */
function nameHeld(body: Record<string, unknown>, pool: Pool, dice: Dice): void {
  if (pool.held.length === 0) return;
  const { id, externalId } = dice.pick(pool.held);
  // A card's number beside it would most likely be that of another card.
  delete body['card_number'];
  const isOurs = 'transaction_id' in body;
  body[isOurs ? 'transaction_id' : 'external_transaction_id'] = isOurs ? id : externalId;
  if (dice.chance(0.5)) requestPart(body, isOurs);
}

/** The smallest part, so that a rest stays on hold or is released. */
function requestPart(body: Record<string, unknown>, isOurs: boolean): void {
  body['bill_amount'] = '0.01';
  if (!isOurs && 'amount' in body)
    Object.assign(body, { amount: '0.01', currency: 'EUR', bill_currency: 'EUR' });
  else for (const name of ['amount', 'currency', 'bill_currency']) delete body[name];
}

/** A purchase that still holds something, and a cent more for it. */
function raiseHeld(body: Record<string, unknown>, pool: Pool, dice: Dice): void {
  if (pool.held.length === 0) return;
  const { id, externalId } = dice.pick(pool.held);
  for (const name of ['bill_amount', 'bill_currency']) delete body[name];
  if ('transaction_id' in body) Object.assign(body, { transaction_id: id, amount: '0.01' });
  else Object.assign(body, { external_transaction_id: externalId, amount: '0.01', currency: 'EUR' });
}

/** A reversal takes back one thing: a hold, a clearing or a refund. */
function nameOne(body: Record<string, unknown>, pool: Pool, dice: Dice): void {
  const way = dice.below(10);
  if (way === 0) return;
  for (const name of ['clearing_id', 'refund_id']) delete body[name];
  const isOurs = 'transaction_id' in body;
  if (way > 5 && pool.presented.length > 0) {
    const { kind, id, transactionId } = dice.pick(pool.presented);
    delete body['external_transaction_id'];
    if (isOurs) body['transaction_id'] = transactionId;
    if (!isOurs || kind === 'clearing') body[`${kind}_id`] = id;
  } else if (!isOurs) body['external_transaction_id'] ??= `net-${++pool.made}`;
}

/** An authorization has one proof of an authentication, never two. */
function proveOnce(body: Record<string, unknown>, dice: Dice): void {
  body['authentication'] = dice.chance(0.5) ? { eci: '05' } : { authentication_id: `acs-${dice.below(9)}` };
}

/** In the card's own currency another bill amount is refused. */
function billTheAmount(body: Record<string, unknown>): void {
  const { amount, bill_amount, currency = 'EUR' } = body;
  if (currency === 'EUR' && amount !== undefined && bill_amount !== undefined) body['bill_amount'] = amount;
}

/** Number, expiry and CVV. */
function ofOneCard(body: Record<string, unknown>, pool: Pool, dice: Dice): Record<string, unknown> {
  const cards = pool.cards.filter(({ number }) => number !== undefined);
  if (cards.length === 0) return body;
  const card = dice.pick(cards);
  if ('card_number' in body && dice.chance(0.95)) body['card_number'] = card.number;
  if ('expiry' in body && dice.chance(0.95)) body['expiry'] = card.expiry;
  if ('cvv' in body) body['cvv'] = dice.chance(0.9) ? card.cvv : wrongCvv(card.cvv);
  return body;
}

/** To a time or by a time: both at once, or neither, is refused. */
function oneMove({ now, advance_seconds = 60 }: Record<string, unknown>): Record<string, unknown> {
  return now === undefined ? { advance_seconds } : { now };
}

/** With less, no card is ever made for the applicant. */
const WHOLE_RECORD = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  dob: '1990-12-10',
  country: 'GBR',
  fullName: 'Analytical Engines Ltd',
  businessRegistrationNumber: '01234567',
};
