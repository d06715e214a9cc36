import { findNumber } from '../cards/read-network.ts';
import { holdsNumberOf, maskNumbersOf } from '../kernel/card-numbers.ts';
import { EmbossError, invalid } from '../kernel/error.ts';
import type { Secret } from '../kernel/secret.ts';
import { isCleanText, removeInvisible } from '../kernel/text.ts';
import type { Actor } from '../programs/actor.ts';
import { attemptOtp } from './attempt-otp.ts';
import type { Authentication } from './authentication.ts';
import type { AuthenticationServices } from './change-authentication.ts';
import { createAuthentication } from './create-authentication.ts';
import { findKnown, presentNow, requirePathId } from './network-api.ts';
import { findAuthentication } from './queries.ts';
import { resendOtp } from './resend-otp.ts';
import type { TokenizationBody } from './schema.ts';

const MOST_ID_LENGTH = 255;

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
  const { view } = presentNow(actor, stored);
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
    throw invalid('tokenizationId', 'must not contain control characters or a card number');
  if (tokenizationId.length > MOST_ID_LENGTH)
    throw invalid('tokenizationId', `must be at most ${MOST_ID_LENGTH} characters`);
  requirePathId('tokenizationId', tokenizationId);
  const wallet = body.wallet ?? null;
  const expiry = body.expiry ?? undefined;
  const parts = ['tokenization', number, expiry ?? '', wallet ?? ''] as const;
  const isSame = (known: Authentication) => vault.history.matches(known.requestDigest, ...parts);
  const known = await findAuthentication(db, programId, 'wallet', tokenizationId);
  if (known) {
    if (!isSame(known))
      throw new EmbossError(409, 'tokenizationId: was already used with a different request');
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
