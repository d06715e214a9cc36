import type { Database } from '../db/database.ts';
import { recordAudit, recordEvent } from '../events/journal.ts';
import type { Remember } from '../http/idempotency.ts';
import { type Day, dayOf } from '../kernel/calendar.ts';
import { currencyDigits } from '../kernel/currencies.ts';
import { invalid } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import { amountFromNumber, formatAmount, MAX_AMOUNT_MINOR } from '../kernel/money.ts';
import { crossCheck, type KycProvider, type SubmittedKyc } from '../kyc/kyc.ts';
import { type KycProviderName, type Program, programNow } from '../programs/program.ts';
import type { Vault } from '../vault/vault.ts';
import {
  type Act,
  auditView,
  type CardHolder,
  type CardRecord,
  checkExpiryDate,
  defaultExpiry,
  eventView,
  type PresentedCard,
  presentCard,
} from './card.ts';
import { chooseDesign } from './designs/design.ts';
import { findDesign } from './designs/queries.ts';
import { insertCard, insertCredential, insertShipment } from './queries.ts';
import type { CreateCardBody } from './schema.ts';

export interface CreateCardServices {
  db: Database;
  vault: Vault;
  kycProviders: Record<KycProviderName, KycProvider | undefined>;
}

/** KYC is asked outside any transaction; then everything is written in one. */
export async function createCard(
  services: CreateCardServices,
  act: Act,
  body: CreateCardBody,
  remember: Remember,
): Promise<PresentedCard> {
  const { program } = act.caller;
  const spendLimitMinor = checkBody(body, program, dayOf(act.nowMs));
  const design = chooseDesign(
    await findDesign(services.db, program.id, body.cardDesign),
    body.cardType,
    'cardDesign',
  );
  await checkKyc(services, program, body);
  // The provider may have taken its time: ids and dates are of now, close to the commit.
  const nowMs = programNow(program, Date.now());
  return writeCard(services, { ...act, nowMs }, body, { spendLimitMinor, designId: design.id }, remember);
}

/** The rules that need the clock or the currency. Returns the opening balance. */
function checkBody(body: CreateCardBody, program: Program, today: Day): bigint {
  if (body.expiryDate) checkExpiryDate('expiryDate', body.expiryDate, today);
  if (body.customerType === 'Consumer' && body.kyc.dob >= today)
    throw invalid('kyc.dob', 'must lie in the past');
  return checkSpendLimit(body.spendLimit ?? 0, program.currency);
}

function checkSpendLimit(spendLimit: number, currency: string): bigint {
  const largest = formatAmount(MAX_AMOUNT_MINOR, currency);
  if (spendLimit > Number(largest)) throw invalid('spendLimit', `must be at most ${largest}`);
  const minor = amountFromNumber(spendLimit, currency);
  if (minor !== undefined) return minor;
  throw invalid(
    'spendLimit',
    `must have no more than the ${currencyDigits(currency)} decimals of ${currency}`,
  );
}

async function checkKyc(services: CreateCardServices, program: Program, body: CreateCardBody): Promise<void> {
  const provider = services.kycProviders[program.kycProvider];
  if (!provider) throw new Error(`the KYC provider ${program.kycProvider} is not configured`);
  const submitted = submittedKyc(body);
  crossCheck(submitted, await provider.findApplicant(body.kycApplicantId, submitted, program.id));
}

function submittedKyc(body: CreateCardBody): SubmittedKyc {
  if (body.customerType === 'Consumer') {
    const { firstName, lastName, dob, residentialAddress } = body.kyc;
    return { customerType: 'Consumer', firstName, lastName, dob, country: residentialAddress.country };
  }
  const { fullName, businessRegistrationNumber, businessOperationAddress } = body.kyc;
  return {
    customerType: 'Business',
    fullName,
    businessRegistrationNumber,
    country: businessOperationAddress.country,
  };
}

async function writeCard(
  { db, vault }: CreateCardServices,
  act: Act,
  body: CreateCardBody,
  plan: { spendLimitMinor: bigint; designId: string },
  remember: Remember,
): Promise<PresentedCard> {
  const { program } = act.caller;
  const { nowMs } = act;
  const cardId = newId(nowMs);
  const expiryDate = body.expiryDate ?? defaultExpiry(dayOf(nowMs));
  const holder = holderOf(body);
  return db.transaction(async (tx) => {
    const { stored, ...number } = await vault.issueNumber(tx, {
      programId: program.id,
      cardId,
      bin: program.bin,
      nowMs,
    });
    const cvv = await vault.planCvv(tx, {
      programId: program.id,
      cardId,
      numberId: number.numberId,
      expiryDate,
    });
    const card: CardRecord = {
      programId: program.id,
      id: cardId,
      cardholderId: cardholderIdOf(vault, program.id, body.meta.id),
      customerType: body.customerType,
      cardType: body.cardType,
      designId: plan.designId,
      currency: program.currency,
      status: 'ACTIVE',
      statusReason: null,
      credentialId: newId(nowMs),
      ...number,
      ...cvv,
      expiryDate,
      spendLimitMinor: plan.spendLimitMinor,
      transactionLimitMinor: null,
      dailyLimitMinor: null,
      monthlyLimitMinor: null,
      allTimeLimitMinor: null,
      allowedMccs: [],
      blockedMccs: [],
      eventSequence: 1,
      createdAt: new Date(nowMs),
    };
    const answer = presentCard(card, holder, nowMs);
    const { kyc, meta, kycApplicantId } = body;
    // Sent together, run in this order.
    await Promise.all([
      stored,
      insertCard(tx, card),
      insertCredential(tx, card, card.createdAt),
      card.cardType === 'physical' && orderPlastic(tx, card, nowMs),
      vault.sealRecord(tx, { programId: program.id, ownerId: cardId, kind: 'holder', id: cardId }, holder),
      vault.sealRecord(
        tx,
        { programId: program.id, ownerId: cardId, kind: 'application', id: cardId },
        { kycApplicantId, kyc, meta },
      ),
      recordEvent(tx, {
        programId: program.id,
        eventType: 'card',
        eventName: 'card.created',
        cardId,
        cardSequence: card.eventSequence,
        data: eventView(card),
        nowMs,
      }),
      recordAudit(tx, {
        programId: program.id,
        actor: act.actor,
        action: 'card.created',
        cardId,
        before: null,
        after: auditView(card),
        requestId: act.requestId,
        nowMs,
      }),
      remember(tx, answer),
    ]);
    return answer;
  });
}

const orderPlastic = (
  tx: Parameters<typeof insertShipment>[0],
  card: CardRecord,
  nowMs: number,
): Promise<void> =>
  insertShipment(tx, {
    programId: card.programId,
    id: newId(nowMs),
    cardId: card.id,
    status: 'ORDERED',
    designId: card.designId,
    createdAt: new Date(nowMs),
  });

function holderOf(body: CreateCardBody): CardHolder {
  const cardholderName =
    body.customerType === 'Consumer' ? `${body.kyc.firstName} ${body.kyc.lastName}` : body.kyc.fullName;
  return { cardholderName, cardName: body.preferredCardName, externalCustomerId: body.meta.id };
}

/** The same customer id gives the same cardholder; nobody can tell the customer id from it. */
function cardholderIdOf(vault: Vault, programId: string, customerId: string): string {
  const hex = vault.digest('cardholder', programId, customerId).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
