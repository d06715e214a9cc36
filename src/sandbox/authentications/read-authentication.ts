import { type Authentication, isOpen, PURPOSES } from '../../authentications/authentication.ts';
import type { AuthenticationServices } from '../../authentications/change-authentication.ts';
import { presentNow } from '../../authentications/network-api.ts';
import { readSandboxOtp } from '../../authentications/otp.ts';
import { presentToMerchant } from '../../authentications/present.ts';
import { findAuthentication, findAuthenticationById } from '../../authentications/queries.ts';
import { notFound } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import { isCleanText } from '../../kernel/text.ts';
import type { Actor } from '../../programs/actor.ts';

type Read = Pick<AuthenticationServices, 'db' | 'vault'> & { publicUrl: string };

/** By our id, or by the id at the access control server or the wallet. */
export async function findByAnyId(
  { db }: Pick<Read, 'db'>,
  { program }: Actor,
  id: string,
): Promise<Authentication> {
  if (!isCleanText(id)) throw notFound();
  const found = await Promise.all([
    isId(id) ? findAuthenticationById(db, program.id, id) : undefined,
    ...PURPOSES.map((purpose) => findAuthentication(db, program.id, purpose, id)),
  ]);
  const first = found.find((each) => each !== undefined);
  if (!first) throw notFound();
  return first;
}

/** With the code, which only the sandbox shows. */
export async function presentInSandbox(services: Read, actor: Actor, stored: Authentication) {
  const { id, programId, purpose } = stored;
  const { now, view } = presentNow(actor, stored);
  const otp = await readSandboxOtp(services, programId, id);
  const { destination, attempts_left, sends_left } = view;
  return {
    ...presentToMerchant(now),
    card_id: now.cardId,
    destination,
    attempts_left,
    sends_left,
    otp,
    challenge_url: purpose === '3ds' && isOpen(now) ? `${services.publicUrl}/challenge/${id}/` : null,
  };
}
