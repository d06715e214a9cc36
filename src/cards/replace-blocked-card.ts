import { isDeepStrictEqual } from 'node:util';
import type { Queryable, Tx } from '../db/database.ts';
import type { Remember } from '../http/idempotency.ts';
import { EmbossError, invalid, notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { amountToNumber } from '../kernel/money.ts';
import { findBalance } from '../ledger/queries.ts';
import type { Actor } from '../programs/actor.ts';
import { type CardHolder, type CardRecord, type PresentedCard, presentCard } from './card.ts';
import { type CreateCardServices, createCard } from './create-card.ts';
import { findDesign } from './designs/queries.ts';
import { findCard, findReplacement, lockCard } from './queries.ts';
import type { CreateCardBody, ReplacementBody } from './schema.ts';

/**
 * Issues a card in place of a blocked one, once: for the same cardholder, with its design, type and spend controls, after
 * a new KYC check. The request is built from the sealed application, so the caller needs no data of the cardholder.
 */
export async function replaceBlockedCard(
  services: CreateCardServices,
  actor: Actor,
  cardId: string,
  body: ReplacementBody,
  remember: Remember,
): Promise<PresentedCard> {
  const { db } = services;
  const { id: programId } = actor.program;
  const blocked = isId(cardId) ? await findCard(db, programId, cardId) : undefined;
  if (!blocked) throw notFound();
  if (blocked.status !== 'BLOCKED')
    throw new EmbossError(400, 'Only a blocked card can be replaced; reissue the card instead');
  const known = await findReplacement(db, programId, cardId);
  if (known) return presentKnown(services, actor, known);
  if (blocked.cardType === 'physical' && !body.shippingInformation)
    throw invalid('shippingInformation', 'is required for a physical card');
  const facts = await readFacts(services, db, blocked);
  const lock = async (tx: Tx) => {
    const locked = await lockCard(tx, programId, cardId);
    // The KYC provider may take seconds. What was changed meanwhile, such as a phone number, must not come back.
    const isUnchanged = isDeepStrictEqual(await readFacts(services, tx, blocked), facts);
    const isSame = isUnchanged && isDeepStrictEqual(locked?.metadata, blocked.metadata);
    if (!locked || !isSame || (await findReplacement(tx, programId, cardId)))
      throw new EmbossError(409, 'The card was changed or replaced by another request; retry');
    return locked;
  };
  const replaced = { lock, leftMinor: facts.balanceMinor };
  return createCard(services, actor, requestFor(blocked, facts, body), remember, replaced);
}

type Submitted = Pick<CreateCardBody, 'kycApplicantId' | 'kyc' | 'meta'>;

interface Facts {
  application: Submitted;
  holder: CardHolder;
  balanceMinor: bigint;
  /** Undefined, which is the default design, if the card's own one is retired. */
  designId: string | undefined;
}

async function readFacts(
  { vault }: CreateCardServices,
  db: Queryable,
  { programId, id, designId }: CardRecord,
): Promise<Facts> {
  const [applications, holders, balanceMinor, design] = await Promise.all([
    vault.openRecords(db, programId, 'application', [id]),
    vault.openRecords(db, programId, 'holder', [id]),
    findBalance(db, programId, id),
    findDesign(db, programId, designId),
  ]);
  return {
    application: applications.get(id) as Submitted,
    holder: holders.get(id) as CardHolder,
    balanceMinor,
    designId: design?.retired ? undefined : designId,
  };
}

function requestFor(
  blocked: CardRecord,
  { application: { kycApplicantId, kyc, meta }, holder: { cardName }, balanceMinor, designId }: Facts,
  { spendLimit, shippingInformation }: ReplacementBody,
): CreateCardBody {
  const { currency } = blocked;
  return {
    kycApplicantId,
    kyc,
    meta,
    customerType: blocked.customerType,
    cardType: blocked.cardType,
    ...(designId !== undefined && { cardDesign: designId }),
    preferredCardName: cardName,
    spendLimit: spendLimit ?? amountToNumber(balanceMinor > 0n ? balanceMinor : 0n, currency),
    ...(blocked.metadata && { metadata: blocked.metadata }),
    ...(shippingInformation && { shippingInformation }),
  } as CreateCardBody;
}

async function presentKnown(
  { db, vault }: CreateCardServices,
  actor: Actor,
  cardId: string,
): Promise<PresentedCard> {
  const { id: programId } = actor.program;
  const [card, holders] = await Promise.all([
    findCard(db, programId, cardId),
    vault.openRecords(db, programId, 'holder', [cardId]),
  ]);
  return presentCard(card as CardRecord, holders.get(cardId) as CardHolder, actor.now());
}
