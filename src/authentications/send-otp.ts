import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CardHolder } from '../cards/card.ts';
import { findCard } from '../cards/queries.ts';
import type { Application } from '../cards/retrieve-card.ts';
import type { Queryable } from '../db/database.ts';
import { MAX_TIMEOUT_MS, type OtpQuestion } from '../decisions/decision.ts';
import { findDecisionEndpoint } from '../decisions/queries.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import { derivedId } from '../kernel/ids.ts';
import { formatAmount } from '../kernel/money.ts';
import { type Secret, secret, wipe } from '../kernel/secret.ts';
import type { Actor } from '../programs/actor.ts';
import type { Vault } from '../vault/vault.ts';
import {
  type Authentication,
  asOf,
  type CardAuthentication,
  CHALLENGE_MS,
  isExpired,
  isOpen,
  MOST_SENDS,
  unavailable,
} from './authentication.ts';
import { type AuthenticationServices, changeAuthentication, type Locked } from './change-authentication.ts';
import { findAuthenticationById, findSealedOtp, updateSendStarted, updateSent } from './queries.ts';

const OTP_DIGITS = 6;
/** A send that takes longer was left by a process that has ended. */
const SEND_MS = MAX_TIMEOUT_MS + 2_000;
const POLL_MS = 100;

/** Digits as bytes: a code never becomes a string. */
function newOtp(): Secret {
  const bytes = Buffer.alloc(OTP_DIGITS);
  for (let at = 0; at < OTP_DIGITS; at++) bytes[at] = 0x30 + randomInt(10);
  return secret(bytes);
}

/** Without the vault's key nobody can find the code by trying all of them. Another merchant or amount is another digest. */
const partsOf = ({ programId, id, merchant, amountMinor, currency }: Authentication, otp: Secret) =>
  ['otp', programId, id, merchant?.id ?? '', String(amountMinor), currency ?? '', otp] as const;

export const isOtp = (vault: Vault, authentication: Authentication, otp: Secret): boolean =>
  authentication.otpDigest !== null &&
  vault.digest.matches(authentication.otpDigest, ...partsOf(authentication, otp));

const sealBinding = (programId: string, id: string): string[] => [programId, 'otp', id];

/** The code of an open challenge in a sandbox program; null in a live one, and if there is none. */
export async function readSandboxOtp(
  { db, vault }: Pick<AuthenticationServices, 'db' | 'vault'>,
  programId: string,
  id: string,
): Promise<string | null> {
  const sealed = await findSealedOtp(db, programId, id);
  return sealed && vault.openText(db, sealBinding(programId, id), sealed);
}

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
    const otpDigest = vault.digest(...partsOf(started, otp));
    const sandboxOtp =
      program.mode === 'sandbox' ? await vault.sealText(db, sealBinding(program.id, started.id), otp) : null;
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

/** Where codes go, in full for the merchant and masked for the network. */
export async function contactOf(
  { db, vault }: { db: Queryable; vault: Vault },
  programId: string,
  cardId: string,
): Promise<{ full: string; masked: string }> {
  const applications = await vault.openRecords(db, programId, 'application', [cardId]);
  const { otpPhoneNumber } = (applications.get(cardId) as Application).meta;
  const { dialCode, phoneNumber } = otpPhoneNumber;
  return { full: `+${dialCode}${phoneNumber}`, masked: `•••${phoneNumber.slice(-3)}` };
}

/** Counts a send and notes its beginning. The caller sends after the commit. */
export function startSend({ tx, authentication, actor }: Locked): CardAuthentication {
  const started = {
    ...authentication,
    sends: authentication.sends + 1,
    sendStartedAt: new Date(actor.realNow()),
  };
  updateSendStarted(tx, started);
  return started;
}

/** Sends the first code, or ends the authentication if that fails. */
export async function sendFirst(
  services: AuthenticationServices,
  actor: Actor,
  started: CardAuthentication,
): Promise<Authentication> {
  if (!(await sendOtp(services, actor, started)))
    await changeAuthentication(services, actor, started, ({ authentication, end }) => {
      const isOurs = authentication.sendStartedAt?.getTime() === started.sendStartedAt?.getTime();
      if (isOpen(authentication) && authentication.sentAt === null && isOurs) end(unavailable('send_failed'));
    });
  return reread(services, actor, started);
}

/**
 * Waits until the first code was sent or could not be sent. If the process that sends it has ended, this one takes over
 * and sends another code.
 */
export async function awaitFirst(
  services: AuthenticationServices,
  actor: Actor,
  known: Authentication,
): Promise<Authentication> {
  let found = known;
  while (isUnsent(asOf(found, actor.realNow()))) {
    const ageMs = actor.realNow() - (found.sendStartedAt as Date).getTime();
    const taken = ageMs > SEND_MS ? await takeOver(services, actor, found as CardAuthentication) : undefined;
    if (taken) return sendFirst(services, actor, taken);
    await pause(POLL_MS);
    found = await reread(services, actor, found);
  }
  return found;
}

const isUnsent = ({ status, method, sentAt }: Authentication): boolean =>
  status === 'CHALLENGE' && method === 'OTP' && sentAt === null;

/** Undefined: another process was faster, or no send is left. */
const takeOver = (services: AuthenticationServices, actor: Actor, stale: CardAuthentication) =>
  changeAuthentication(services, actor, stale, (locked) => {
    const { authentication, end } = locked;
    const isStale = authentication.sendStartedAt?.getTime() === stale.sendStartedAt?.getTime();
    if (!isUnsent(authentication) || !isStale) return undefined;
    if (authentication.sends < MOST_SENDS) return startSend(locked);
    end(unavailable('send_failed'));
    return undefined;
  });

const reread = async (
  { db }: AuthenticationServices,
  { program }: Actor,
  { id }: Authentication,
): Promise<Authentication> => (await findAuthenticationById(db, program.id, id)) as Authentication;
