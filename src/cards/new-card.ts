import { type Day, dayOf } from '../kernel/calendar.ts';
import { invalid } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import { formatAmount, readAmount } from '../kernel/money.ts';
import type { SubmittedKyc } from '../kyc/kyc.ts';
import { type Actor, isOperator } from '../programs/actor.ts';
import type { Program } from '../programs/program.ts';
import { type CardHolder, type CardRecord, checkExpiryDate, defaultExpiry } from './card.ts';
import type { CreateCardBody } from './schema.ts';
import { readUsage } from './usage.ts';

/** Checks the rules that depend on program time or the currency. Returns the opening balance. */
export function checkNewCard(body: CreateCardBody, program: Program, today: Day): bigint {
  if (body.expiryDate) checkExpiryDate('expiryDate', body.expiryDate, today);
  if (body.customerType === 'Consumer' && body.kyc.dob >= today)
    throw invalid('kyc.dob', 'must be in the past');
  readUsage(body.usage);
  return readAmount('spendLimit', body.spendLimit ?? 0, program.currency);
}

/**
 * One operator must not give with a new card what an adjustment would need a second person for. `leftMinor`: what the
 * replaced card has left.
 */
export function checkOpeningBalance(actor: Actor, openingMinor: bigint, leftMinor: bigint): void {
  const { secondPersonAboveMinor: aboveMinor, currency } = actor.program;
  if (aboveMinor === null || !isOperator(actor)) return;
  const mostMinor = leftMinor > aboveMinor ? leftMinor : aboveMinor;
  if (openingMinor > mostMinor)
    throw invalid(
      'spendLimit',
      `must be at most ${formatAmount(mostMinor, currency)}: above it a second person is needed. Create the card with less, then adjust its balance`,
    );
}

/** The submitted data that are compared with the KYC provider's record. */
export function submittedKyc(body: CreateCardBody): SubmittedKyc {
  if (body.customerType === 'Consumer') {
    const { firstName, lastName, dob, residentialAddress } = body.kyc;
    return { customerType: 'Consumer', firstName, lastName, dob, country: residentialAddress.country };
  }
  const { fullName, businessRegistrationNumber, businessOperationAddress } = body.kyc;
  const { country } = businessOperationAddress;
  return { customerType: 'Business', fullName, businessRegistrationNumber, country };
}

export function holderOf(body: CreateCardBody): CardHolder {
  const cardholderName =
    body.customerType === 'Consumer' ? `${body.kyc.firstName} ${body.kyc.lastName}` : body.kyc.fullName;
  return { cardholderName, cardName: body.preferredCardName, externalCustomerId: body.meta.id };
}

/** The new card without the number and the CVV of its first credential, which the vault provides. */
export function planCard(
  program: Program,
  body: CreateCardBody,
  plan: Pick<CardRecord, 'cardholderId' | 'designId' | 'spendLimitMinor' | 'metadata'> & { nowMs: number },
): Omit<CardRecord, 'numberId' | 'lastFour' | 'cvvKeyId' | 'cvvSalt'> {
  const { nowMs, ...chosen } = plan;
  const expiryDate = body.expiryDate ?? defaultExpiry(dayOf(nowMs));
  return {
    ...chosen,
    programId: program.id,
    id: newId(nowMs),
    customerType: body.customerType,
    cardType: body.cardType,
    currency: program.currency,
    status: 'ACTIVE',
    statusReason: null,
    reasonCode: null,
    frozenWithCustomer: false,
    credentialId: newId(nowMs),
    expiryDate,
    expiryEventDue: expiryDate,
    transactionLimitMinor: null,
    dailyLimitMinor: null,
    monthlyLimitMinor: null,
    allTimeLimitMinor: null,
    allowedMccs: [],
    blockedMccs: [],
    temporaryLimits: {},
    usage: readUsage(body.usage),
    threeDsForwarding: false,
    replacesCardId: null,
    createdAt: new Date(nowMs),
  };
}

/** What a replacement takes over from the blocked card, beside the data of its application. */
export const carriedOver = (blocked: CardRecord) => ({
  transactionLimitMinor: blocked.transactionLimitMinor,
  dailyLimitMinor: blocked.dailyLimitMinor,
  monthlyLimitMinor: blocked.monthlyLimitMinor,
  allTimeLimitMinor: blocked.allTimeLimitMinor,
  allowedMccs: blocked.allowedMccs,
  blockedMccs: blocked.blockedMccs,
  usage: blocked.usage,
  threeDsForwarding: blocked.threeDsForwarding,
  replacesCardId: blocked.id,
});
