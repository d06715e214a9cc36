import type { CardHolder } from '../cards/card.ts';
import { findCard } from '../cards/queries.ts';
import type { Queryable } from '../db/database.ts';
import { MAX_TIMEOUT_MS, type OtpDecisionRequest } from '../decisions/decision.ts';
import { findDecisionEndpoint } from '../decisions/queries.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import { derivedId } from '../kernel/ids.ts';
import { formatAmount } from '../kernel/money.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Actor } from '../programs/actor.ts';
import type { Vault } from '../vault/vault.ts';
import { type CardAuthentication, CHALLENGE_MS, isExpired } from './authentication.ts';
import { type AuthenticationServices, changeAuthentication, type Locked } from './change-authentication.ts';
import { contactOf } from './contact.ts';
import { digestOtp, sealOtp } from './otp.ts';
import { updateSendStarted, updateSent } from './result-queries.ts';

/** A send that is counted. Its code is right already, as it may arrive before the endpoint has answered. */
export interface StartedSend {
  started: CardAuthentication;
  otp: Secret;
  destination: string;
}

/** Counts a send and notes its beginning, later than that of every other. The caller sends after the commit. */
export async function startSend(
  { vault }: Pick<AuthenticationServices, 'vault'>,
  { tx, authentication, actor }: Pick<Locked, 'tx' | 'authentication' | 'actor'>,
  otp: Secret,
): Promise<StartedSend> {
  const { programId, cardId, otpDigests, sends, sendStartedAt } = authentication;
  const { full, masked } = await contactOf({ db: tx, vault }, programId, cardId);
  const lastMs = sendStartedAt?.getTime() ?? 0;
  const started = {
    ...authentication,
    otpDigests: [...otpDigests, digestOtp(vault, authentication, full, otp)],
    destination: masked,
    sends: sends + 1,
    sendStartedAt: new Date(Math.max(actor.realNow(), lastMs + 1)),
  };
  const isSandbox = actor.program.mode === 'sandbox';
  updateSendStarted(tx, started, isSandbox ? await sealOtp({ db: tx, vault }, started, otp) : null);
  return { started, otp, destination: full };
}

/**
 * Sends the code, which then replaces those before it. Holds no lock or connection meanwhile. False: it was not sent, as
 * far as known; all codes stay right.
 */
export async function sendOtp(
  services: AuthenticationServices,
  actor: Actor,
  send: StartedSend,
): Promise<boolean> {
  const { db, vault, requestDecision } = services;
  const { program } = actor;
  const { started } = send;
  const sentAt = started.sendStartedAt as Date;
  const expiresAt = new Date(sentAt.getTime() + CHALLENGE_MS);
  const endpoint = await findDecisionEndpoint(db, program.id, 'otp');
  if (endpoint) {
    const request = await otpRequest({ db, vault }, actor, send, expiresAt);
    const { outcome } = await requestDecision<'otp'>(program, endpoint, request, MAX_TIMEOUT_MS);
    if (outcome !== 'sent') return false;
  } else if (program.mode !== 'sandbox') return false;
  const own = started.otpDigests.at(-1) as Buffer;
  return changeAuthentication(services, actor, started, ({ tx, authentication, actor }) => {
    const { otpDigests } = authentication;
    const index = otpDigests.findIndex((digest) => digest.equals(own));
    // It ended meanwhile, or a later send was faster.
    if (index === -1 || isExpired(authentication, actor.realNow())) return true;
    updateSent(tx, authentication, { otpDigests: otpDigests.slice(index), sentAt, expiresAt });
    return true;
  });
}

async function otpRequest(
  { db, vault }: { db: Queryable; vault: Vault },
  actor: Actor,
  { started, otp, destination }: StartedSend,
  expiresAt: Date,
): Promise<OtpDecisionRequest> {
  const { programId, cardId, id, sends, purpose, amountMinor, currency, merchant } = started;
  const [card, holders] = await Promise.all([
    findCard(db, programId, cardId),
    vault.openRecords(db, programId, 'holder', [cardId]),
  ]);
  return {
    kind: 'otp',
    // Every send has its own code, and so its own id.
    eventId: derivedId(programId, 'otp', id, String(sends)),
    createdAt: new Date(actor.now()),
    otp,
    data: {
      external_customer_id: (holders.get(cardId) as CardHolder).externalCustomerId,
      destination,
      amount: amountMinor === null ? null : formatAmount(amountMinor, currency as string),
      currency,
      merchant_name: merchant?.name ?? null,
      last_four: card?.lastFour,
      purpose,
      expires_at: formatTimestamp(expiresAt),
    },
  };
}
