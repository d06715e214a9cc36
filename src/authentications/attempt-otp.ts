import { dayOf } from '../kernel/calendar.ts';
import { EmbossError } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Actor } from '../programs/actor.ts';
import { countWrongCodes, insertAttempt, updateWrongAttempts } from './attempt-queries.ts';
import {
  AUTHENTICATED,
  type Authentication,
  type CardAuthentication,
  failureOf,
  isOpen,
  MOST_ATTEMPTS,
  MOST_WRONG,
  rejected,
  windowStart,
} from './authentication.ts';
import {
  type AuthenticationServices,
  changeAuthentication,
  guessedAt,
  type Locked,
} from './change-authentication.ts';
import { contactOf } from './contact.ts';
import { inactiveReason } from './decide-authentication.ts';
import { isOtp } from './otp.ts';
import { listOpen } from './queries.ts';

/** Checks a code. After the end it changes nothing: there is one result. */
export async function attemptOtp(
  services: AuthenticationServices,
  actor: Actor,
  found: Authentication,
  otp: Secret,
): Promise<Authentication> {
  if (!isOpen(found)) return found;
  const began = performance.now();
  let isWrong = false;
  await services.vault.digest.refresh();
  const after = await changeAuthentication(services, actor, found as CardAuthentication, async (locked) => {
    isWrong = false;
    const { tx, authentication, card, actor, end } = locked;
    if (!isOpen(authentication)) return authentication;
    const failure = failureOf(authentication, card, actor.realNow());
    if (failure) return end(failure);
    if (authentication.method !== 'OTP')
      throw new EmbossError(409, 'otp: the challenge is out of band; it has no code');
    const { vault } = services;
    // The contact cannot change meanwhile: that takes the lock of the card too.
    const { full } = await contactOf({ db: tx, vault }, authentication.programId, authentication.cardId);
    const isRight = isOtp(vault, authentication, full, otp);
    insertAttempt(tx, authentication, {
      id: newId(actor.now()),
      outcome: isRight ? 'right' : 'wrong',
      at: new Date(actor.realNow()),
    });
    isWrong = !isRight;
    if (isWrong) return countWrong(locked);
    const inactive = inactiveReason(card, dayOf(actor.now()));
    return end(inactive ? rejected('N', inactive) : AUTHENTICATED);
  });
  const { programId } = after;
  if (isWrong)
    await services.slowGuessing?.(
      programId,
      guessedAt(after),
      { reason: 'otp_wrong' },
      performance.now() - began,
    );
  return after;
}

async function countWrong({ tx, authentication, actor, end }: Locked): Promise<CardAuthentication> {
  const { programId, cardId } = authentication;
  const counted = { ...authentication, wrongAttempts: authentication.wrongAttempts + 1 };
  updateWrongAttempts(tx, counted);
  const since = windowStart(actor.realNow());
  if ((await countWrongCodes(tx, programId, cardId, since)) >= MOST_WRONG) {
    // Not those out of band: else wrong codes for a known number would stop the cardholder's app.
    for (const open of await listOpen(tx, programId, cardId))
      if (open.id !== counted.id && open.method === 'OTP') end(rejected('N', 'too_many_attempts'), open);
    return end(rejected('N', 'too_many_attempts'), counted);
  }
  return counted.wrongAttempts < MOST_ATTEMPTS ? counted : end(rejected('N', 'otp_wrong'), counted);
}
