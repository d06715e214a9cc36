import { audit } from '../audit/audit.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Remember } from '../http/idempotency.ts';
import { dayOf } from '../kernel/calendar.ts';
import { EmbossError } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import { type MergedMetadata, mergeMetadata } from '../kernel/metadata.ts';
import { amountToNumber } from '../kernel/money.ts';
import { crossCheck, type KycProvider } from '../kyc/kyc.ts';
import { ACCOUNTS } from '../ledger/accounts.ts';
import { openAccount, postTransfers } from '../ledger/post-transfers.ts';
import type { Transfer } from '../ledger/transfer.ts';
import { type Actor, readActor } from '../programs/actor.ts';
import type { KycProviderName, Program } from '../programs/program.ts';
import type { Vault } from '../vault/vault.ts';
import { type CardRecord, type LockedCard, type PresentedCard, presentCard } from './card.ts';
import { recordCardChange } from './change-card.ts';
import { insertCounters } from './counter-queries.ts';
import { findCustomerRow, insertCustomer } from './customers/queries.ts';
import { chooseDesign } from './designs/design.ts';
import { findDesign } from './designs/queries.ts';
import {
  carriedOver,
  checkNewCard,
  checkOpeningBalance,
  holderOf,
  planCard,
  submittedKyc,
} from './new-card.ts';
import {
  insertCard,
  insertCredential,
  insertShipment,
  updateControls,
  updateForwarding,
  updateLabels,
} from './queries.ts';
import type { CreateCardBody } from './schema.ts';
import { insertSearchEntries } from './search-queries.ts';
import { searchEntries } from './search-words.ts';

export interface CreateCardServices {
  db: Database;
  vault: Vault;
  kycProviders: Record<KycProviderName, KycProvider | undefined>;
}

/** Locks the card that a new one replaces. Refuses if it was replaced, or changed since the request was built from it. */
type LockReplaced = (tx: Tx) => Promise<LockedCard>;

/** The card that a new one replaces. */
interface Replaced {
  lock: LockReplaced;
  /** Its balance. */
  leftMinor: bigint;
}

/** Calls the KYC provider outside any transaction, then writes everything in one transaction. */
export async function createCard(
  services: CreateCardServices,
  actor: Actor,
  body: CreateCardBody,
  remember: Remember,
  { lock: lockReplaced, leftMinor = 0n }: Partial<Replaced> = {},
): Promise<PresentedCard> {
  const { program } = actor;
  const spendLimitMinor = checkNewCard(body, program, dayOf(actor.now()));
  checkOpeningBalance(actor, spendLimitMinor, leftMinor);
  const merged = mergeMetadata(null, body.metadata ?? {});
  const [found, customer] = await Promise.all([
    findDesign(services.db, program.id, body.cardDesign),
    findCustomerRow(services.db, program.id, cardholderIdsOf(services.vault, program.id, body.meta.id)),
  ]);
  const design = chooseDesign(found, body.cardType, 'cardDesign', body.cardDesign);
  await checkKyc(services, program, body);
  const chosen = { spendLimitMinor, designId: design.id };
  const about = { merged, lockReplaced, isFirst: !customer };
  return writeCard(services, actor, body, chosen, about, remember);
}

async function checkKyc(services: CreateCardServices, program: Program, body: CreateCardBody): Promise<void> {
  const provider = services.kycProviders[program.kycProvider];
  if (!provider) throw new EmbossError(500, 'The KYC provider is not configured; no card was created');
  const submitted = submittedKyc(body);
  crossCheck(submitted, await provider.findApplicant(body.kycApplicantId, submitted, program.id));
}

async function writeCard(
  { db, vault }: CreateCardServices,
  actor: Actor,
  body: CreateCardBody,
  chosen: { spendLimitMinor: bigint; designId: string },
  {
    merged: { metadata, labels },
    lockReplaced,
    isFirst,
  }: { merged: MergedMetadata; lockReplaced: LockReplaced | undefined; isFirst: boolean },
  remember: Remember,
): Promise<PresentedCard> {
  const { program } = actor;
  const cardholderId = cardholderIdOf(vault, program.id, body.meta.id);
  const holder = holderOf(body);
  return db.transaction(async (tx) => {
    // The card has the time of its transaction: the KYC check may be slow, and a sandbox clock may have moved.
    const current = await readActor(tx, actor, program.id);
    const nowMs = current.now();
    const replaced = await lockReplaced?.(tx);
    const plan = {
      ...planCard(program, body, { ...chosen, metadata, cardholderId, nowMs }),
      ...(replaced && carriedOver(replaced)),
    };
    const { programId, id: cardId, expiryDate } = plan;
    const { stored, ...number } = await vault.issueNumber(tx, { programId, cardId, bin: program.bin, nowMs });
    const cvv = await vault.planCvv(tx, { programId, cardId, numberId: number.numberId, expiryDate });
    const card: CardRecord = { ...plan, ...number, ...cvv };
    const answer = presentCard(card, holder, nowMs);
    const { kyc, meta, kycApplicantId } = body;
    const application = { kycApplicantId, kyc, meta };
    insertCounters(tx, card, dayOf(nowMs));
    openAccount(tx, programId, cardId);
    updateLabels(tx, programId, cardId, labels);
    insertSearchEntries(tx, programId, [{ cardId, ...searchEntries(vault, programId, holder, meta) }]);
    // The statements are sent together and run in this order.
    await Promise.all([
      stored,
      insertCard(tx, card),
      isFirst && insertCustomer(tx, card),
      insertCredential(tx, card, card.createdAt),
      replaced && updateControls(tx, card),
      replaced && updateForwarding(tx, card),
      card.cardType === 'physical' && orderPlastic(vault, tx, card, nowMs, body.shippingInformation),
      vault.sealRecord(tx, { programId, ownerId: cardId, kind: 'holder', id: cardId }, holder),
      vault.sealRecord(tx, { programId, ownerId: cardId, kind: 'application', id: cardId }, application),
      recordCardChange(tx, current, 'card.created', null, card, replaced && { replaces: replaced.id }),
      replaced && auditReplaced(tx, current, replaced, card),
      remember(tx, answer),
    ]);
    openingTransfers(tx, program, card, nowMs);
    return answer;
  });
}

/** Posts the opening balance and the issuance fee. */
function openingTransfers(tx: Tx, program: Program, card: CardRecord, nowMs: number): void {
  const { virtualIssuanceFeeMinor, physicalIssuanceFeeMinor } = program;
  const movementId = card.id;
  const transfers: Transfer[] = [
    {
      movementId,
      code: 'opening_balance',
      debitAccountId: ACCOUNTS.credit,
      creditAccountId: card.id,
      amountMinor: card.spendLimitMinor,
    },
    {
      movementId,
      code: 'issuance_fee',
      debitAccountId: ACCOUNTS.issuanceCost,
      creditAccountId: ACCOUNTS.payable,
      amountMinor: card.cardType === 'physical' ? physicalIssuanceFeeMinor : virtualIssuanceFeeMinor,
    },
  ];
  postTransfers(tx, program.id, transfers, nowMs);
}

async function orderPlastic(
  vault: Vault,
  tx: Tx,
  card: CardRecord,
  nowMs: number,
  shipping: CreateCardBody['shippingInformation'],
): Promise<void> {
  const { programId, id: cardId, designId } = card;
  const id = newId(nowMs);
  const createdAt = new Date(nowMs);
  await Promise.all([
    insertShipment(tx, { programId, id, cardId, status: 'ORDERED', designId, createdAt }),
    shipping && vault.sealRecord(tx, { programId, ownerId: cardId, kind: 'shipment', id }, shipping),
  ]);
}

/** The entry of the blocked card; the new card has its own. */
const auditReplaced = (tx: Tx, actor: Actor, { id: cardId }: CardRecord, card: CardRecord): Promise<void> =>
  audit(tx, actor, 'card.replaced', {
    cardId,
    after: { replacedBy: card.id, spendLimit: amountToNumber(card.spendLimitMinor, card.currency) },
  });

/** Under one key, a customer id always yields the same cardholder id, which does not reveal the customer id. */
export const cardholderIdOf = (
  { search }: Pick<Vault, 'search'>,
  programId: string,
  customerId: string,
): string => toId(search('cardholder', programId, customerId));

/** The cardholder id under every live key, to search for the cards of a customer. */
export const cardholderIdsOf = (
  { search }: Pick<Vault, 'search'>,
  programId: string,
  customerId: string,
): string[] => search.all('cardholder', programId, customerId).map(toId);

function toId(digest: Buffer): string {
  const hex = digest.subarray(4).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
