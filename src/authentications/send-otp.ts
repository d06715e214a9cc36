import type { CardHolder } from '../cards/card.ts';
import { findCard } from '../cards/queries.ts';
import type { Queryable } from '../db/database.ts';
import { MAX_TIMEOUT_MS, type OtpQuestion } from '../decisions/decision.ts';
import { findDecisionEndpoint } from '../decisions/queries.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import { derivedId } from '../kernel/ids.ts';
import { formatAmount } from '../kernel/money.ts';
import { type Secret, wipe } from '../kernel/secret.ts';
import type { Actor } from '../programs/actor.ts';
import type { Vault } from '../vault/vault.ts';
import { type CardAuthentication, CHALLENGE_MS, isExpired, isOpen } from './authentication.ts';
import { type AuthenticationServices, changeAuthentication, type Locked } from './change-authentication.ts';
import { contactOf } from './contact.ts';
import { digestOtp, newOtp, sealOtp } from './otp.ts';
import { updateSendStarted, updateSent } from './result-queries.ts';

/**
 * Sends a new code, which is valid once it was sent; until then the previous one is. Holds no lock or connection
 * meanwhile. The send was started before, under the lock. False: it was not sent.
 */
export async function sendOtp(
  services: AuthenticationServices,
  asked: Actor,
  started: CardAuthentication,
): Promise<boolean> {
  const { db, vault, ask } = services;
  const { program } = asked;
  const otp = newOtp();
  try {
    const sentAt = started.sendStartedAt as Date;
    const expiresAt = new Date(sentAt.getTime() + CHALLENGE_MS);
    const endpoint = await findDecisionEndpoint(db, program.id, 'otp');
    if (endpoint) {
      const question = await otpQuestion({ db, vault }, asked, started, otp, expiresAt);
      const { outcome } = await ask<'otp'>(program, endpoint, question, MAX_TIMEOUT_MS);
      if (outcome !== 'sent') return false;
    } else if (program.mode !== 'sandbox') return false;
    await vault.digest.refresh();
    const otpDigest = digestOtp(vault, started, otp);
    const sandboxOtp = program.mode === 'sandbox' ? await sealOtp(services, started, otp) : null;
    return await changeAuthentication(services, asked, started, ({ tx, authentication, actor }) => {
      // It ended meanwhile, or a later send was faster.
      if (!isOpen(authentication) || isExpired(authentication, actor.realNow())) return true;
      if (authentication.sentAt !== null && authentication.sentAt >= sentAt) return true;
      updateSent(tx, authentication, { otpDigest, sandboxOtp, sentAt, expiresAt });
      return true;
    });
  } finally {
    wipe(otp);
  }
}

async function otpQuestion(
  { db, vault }: { db: Queryable; vault: Vault },
  asked: Actor,
  { programId, cardId, id, sends, purpose, amountMinor, currency, merchant }: CardAuthentication,
  otp: Secret,
  expiresAt: Date,
): Promise<OtpQuestion> {
  const [card, holders, contact] = await Promise.all([
    findCard(db, programId, cardId),
    vault.openRecords(db, programId, 'holder', [cardId]),
    contactOf({ db, vault }, programId, cardId),
  ]);
  return {
    kind: 'otp',
    // Every send has its own code, and so its own id.
    eventId: derivedId(programId, 'otp', id, String(sends)),
    createdAt: new Date(asked.now()),
    otp,
    data: {
      external_customer_id: (holders.get(cardId) as CardHolder).externalCustomerId,
      destination: contact.full,
      amount: amountMinor === null ? null : formatAmount(amountMinor, currency as string),
      currency,
      merchant_name: merchant?.name ?? null,
      last_four: card?.lastFour,
      purpose,
      expires_at: formatTimestamp(expiresAt),
    },
  };
}

/** Counts a send and notes its beginning, later than that of every other. The caller sends after the commit. */
export function startSend({ tx, authentication, actor }: Locked): CardAuthentication {
  const lastMs = authentication.sendStartedAt?.getTime() ?? 0;
  const started = {
    ...authentication,
    sends: authentication.sends + 1,
    sendStartedAt: new Date(Math.max(actor.realNow(), lastMs + 1)),
  };
  updateSendStarted(tx, started);
  return started;
}
