import { findNumber, readDecimal, readMerchant, textsOf } from '../cards/read-network.ts';
import { holdsNumberOf, maskNumbersOf } from '../kernel/card-numbers.ts';
import { EmbossError, invalid, notFound } from '../kernel/error.ts';
import type { Secret } from '../kernel/secret.ts';
import { isCleanText, removeInvisible } from '../kernel/text.ts';
import type { Actor } from '../programs/actor.ts';
import { attemptOtp } from './attempt-otp.ts';
import { type Authentication, asOf, type Purpose, present } from './authentication.ts';
import type { AuthenticationServices } from './change-authentication.ts';
import { createAuthentication, type Place } from './create-authentication.ts';
import { findAuthentication } from './queries.ts';
import { resendOtp } from './resend-otp.ts';
import type { AuthenticationBody, TokenizationBody } from './schema.ts';
import { contactOf } from './send-otp.ts';

type Read = Pick<AuthenticationServices, 'db' | 'vault'>;

/** The card's number goes no further. */
export async function submitAuthentication(
  services: AuthenticationServices,
  actor: Actor,
  body: AuthenticationBody,
  number: Secret,
) {
  const find = () => findNumber(services.vault, actor.program.id, number);
  return viewOf(services, actor, await requestAuthentication(services, actor, body, { named: number, find }));
}

/** Translates the network's JSON. `named` is how the request names the card. */
export function requestAuthentication(
  services: AuthenticationServices,
  actor: Actor,
  body: Omit<AuthenticationBody, 'card_number'>,
  { named, find }: { named: Secret | string; find: () => Promise<Place> },
): Promise<Authentication> {
  const { bin } = actor.program;
  const { amount, currency, merchant, category } = body;
  const amountMinor = readDecimal('amount', amount, currency);
  if (amountMinor === 0n && category === 'PAYMENT') throw invalid('amount', 'must be greater than 0');
  const expiry = body.expiry ?? undefined;
  const { device_channel: deviceChannel, challenge } = body;
  const words = [expiry ?? '', String(amountMinor), currency, deviceChannel, category, challenge];
  const parts = ['authentication', named, ...words, ...textsOf(merchant)] as const;
  const { history } = services.vault;
  const { city: _, ...stored } = readMerchant(bin, merchant);
  const request = {
    purpose: '3ds' as const,
    authenticationId: body.authentication_id,
    requestDigest: history(...parts),
    merchant: stored,
    amountMinor,
    currency,
    deviceChannel,
    category,
    challenge,
    wallet: null,
  };
  const isSame = (known: Authentication) => history.matches(known.requestDigest, ...parts);
  return createAuthentication(services, actor, request, { find, expiry }, isSame);
}

/** Runs an operation on an authentication that exists. */
export async function onAuthentication(
  services: Read,
  actor: Actor,
  authenticationId: string,
  work: (found: Authentication) => Promise<Authentication>,
) {
  return viewOf(services, actor, await work(await findKnown(services, actor, '3ds', authenticationId)));
}

async function findKnown(
  { db }: Read,
  { program }: Actor,
  purpose: Purpose,
  authenticationId: string,
): Promise<Authentication> {
  const found = isCleanText(authenticationId)
    ? await findAuthentication(db, program.id, purpose, authenticationId)
    : undefined;
  if (!found) throw notFound();
  return found;
}

export async function presentNow(services: Read, actor: Actor, stored: Authentication) {
  const { programId, cardId, method } = stored;
  const destination =
    cardId !== null && method === 'OTP' ? (await contactOf(services, programId, cardId)).masked : null;
  const now = asOf(stored, actor.realNow());
  return { now, view: present(now, destination) };
}

async function viewOf(services: Read, actor: Actor, stored: Authentication) {
  const { now, view } = await presentNow(services, actor, stored);
  return { authentication_id: now.authenticationId, trans_status: now.transStatus, ...view };
}

/** A wallet's code: sends it, sends it again, or checks it. */
export async function submitTokenization(
  services: AuthenticationServices,
  actor: Actor,
  tokenizationId: string,
  body: TokenizationBody,
  { number, otp }: { number: Secret | undefined; otp: Secret | undefined },
) {
  if ((number === undefined) === (otp === undefined))
    throw invalid('otp', 'send either card_number, to send a code, or otp, to check it');
  const stored = number
    ? await sendToWallet(services, actor, tokenizationId, body, number)
    : await attemptOtp(
        services,
        actor,
        await findKnown(services, actor, 'wallet', tokenizationId),
        otp as Secret,
      );
  const { view } = await presentNow(services, actor, stored);
  const { method: _, ...shown } = view;
  return { tokenization_id: tokenizationId, ...shown };
}

async function sendToWallet(
  services: AuthenticationServices,
  actor: Actor,
  tokenizationId: string,
  body: TokenizationBody,
  number: Secret,
): Promise<Authentication> {
  const { db, vault } = services;
  const { id: programId, bin } = actor.program;
  if (!isCleanText(tokenizationId) || holdsNumberOf(bin, tokenizationId))
    throw invalid('id', 'must not contain control characters or a card number');
  const wallet = body.wallet ?? null;
  const expiry = body.expiry ?? undefined;
  const parts = ['tokenization', number, expiry ?? '', wallet ?? ''] as const;
  const isSame = (known: Authentication) => vault.history.matches(known.requestDigest, ...parts);
  const known = await findAuthentication(db, programId, 'wallet', tokenizationId);
  if (known) {
    if (!isSame(known)) throw new EmbossError(409, 'id: was already used with a different request');
    return resendOtp(services, actor, known);
  }
  const request = {
    purpose: 'wallet' as const,
    authenticationId: tokenizationId,
    requestDigest: vault.history(...parts),
    merchant: null,
    amountMinor: null,
    currency: null,
    deviceChannel: null,
    category: null,
    challenge: null,
    wallet: wallet && maskNumbersOf(bin, removeInvisible(wallet)),
  };
  const find = () => findNumber(vault, programId, number);
  return createAuthentication(services, actor, request, { find, expiry }, isSame);
}
