import type { Remember } from '../http/idempotency.ts';
import { EmbossError, invalid, notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { amountToNumber } from '../kernel/money.ts';
import { findBalance } from '../ledger/queries.ts';
import type { Actor } from '../programs/actor.ts';
import { type CardHolder, type CardRecord, type PresentedCard, presentCard } from './card.ts';
import { type CreateCardServices, createCard } from './create-card.ts';
import { findCard, findReplacement } from './queries.ts';
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
  return createCard(services, actor, await requestFor(services, blocked, body), remember, blocked);
}

type Submitted = Pick<CreateCardBody, 'kycApplicantId' | 'kyc' | 'meta'>;

async function requestFor(
  { db, vault }: CreateCardServices,
  blocked: CardRecord,
  { spendLimit, shippingInformation }: ReplacementBody,
): Promise<CreateCardBody> {
  const { programId, id, currency } = blocked;
  const [applications, holders, balanceMinor] = await Promise.all([
    vault.openRecords(db, programId, 'application', [id]),
    vault.openRecords(db, programId, 'holder', [id]),
    findBalance(db, programId, id),
  ]);
  const { kycApplicantId, kyc, meta } = applications.get(id) as Submitted;
  const { cardName } = holders.get(id) as CardHolder;
  return {
    kycApplicantId,
    kyc,
    meta,
    customerType: blocked.customerType,
    cardType: blocked.cardType,
    cardDesign: blocked.designId,
    preferredCardName: cardName,
    spendLimit: spendLimit ?? amountToNumber(balanceMinor > 0n ? balanceMinor : 0n, currency),
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
