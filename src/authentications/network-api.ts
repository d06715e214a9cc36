import { findNumber, readAcceptor, readDecimal, textsOf } from '../cards/read-network.ts';
import { invalid, notFound } from '../kernel/error.ts';
import type { Secret } from '../kernel/secret.ts';
import { isCleanText } from '../kernel/text.ts';
import type { Actor } from '../programs/actor.ts';
import { type Authentication, asOf, type Purpose } from './authentication.ts';
import type { AuthenticationServices } from './change-authentication.ts';
import { createAuthentication } from './create-authentication.ts';
import { present } from './present.ts';
import { findAuthentication } from './queries.ts';
import type { FoundNumber } from './request-decision.ts';
import type { AuthenticationBody } from './schema.ts';

type Read = Pick<AuthenticationServices, 'db'>;

/** The card's number goes no further. */
export async function submitAuthentication(
  services: AuthenticationServices,
  actor: Actor,
  body: AuthenticationBody,
  number: Secret,
) {
  const find = () => findNumber(services.vault, actor.program.id, number);
  return viewOf(actor, await requestAuthentication(services, actor, body, { named: number, find }));
}

/** Translates the network's JSON. `named` is how the request names the card. */
export function requestAuthentication(
  services: AuthenticationServices,
  actor: Actor,
  body: Omit<AuthenticationBody, 'card_number'>,
  { named, find }: { named: Secret | string; find: () => Promise<FoundNumber> },
): Promise<Authentication> {
  requirePathId('authentication_id', body.authentication_id);
  const { bin } = actor.program;
  const { amount, currency, merchant, category } = body;
  const amountMinor = readDecimal('amount', amount, currency);
  if (amountMinor === 0n && category === 'PAYMENT') throw invalid('amount', 'must be greater than 0');
  const expiry = body.expiry ?? undefined;
  const { device_channel: deviceChannel, challenge } = body;
  const words = [expiry ?? '', String(amountMinor), currency, deviceChannel, category, challenge];
  const acceptor = readAcceptor(bin, merchant);
  const parts = ['authentication', named, ...words, ...textsOf(acceptor)] as const;
  const { history } = services.vault;
  const { city: _, ...stored } = acceptor;
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

/** The id is a part of paths, and clients remove these two from a path. */
export function requirePathId(field: string, id: string): void {
  if (id === '.' || id === '..') throw invalid(field, 'must not be "." or ".."');
}

/** Runs an operation on an authentication that exists. */
export async function onAuthentication(
  services: Read,
  actor: Actor,
  authenticationId: string,
  work: (found: Authentication) => Promise<Authentication>,
) {
  return viewOf(actor, await work(await findKnown(services, actor, '3ds', authenticationId)));
}

/** A 404 if there is none. */
export async function findKnown(
  { db }: Read,
  { program }: Actor,
  purpose: Purpose,
  authenticationId: string,
): Promise<Authentication> {
  // A database text cannot hold every text of a path.
  const isText = isCleanText(authenticationId);
  const found = isText && (await findAuthentication(db, program.id, purpose, authenticationId));
  if (!found) throw notFound();
  return found;
}

/** As it stands now, with what the network gets. */
export function presentNow(actor: Actor, stored: Authentication) {
  const now = asOf(stored, actor.realNow());
  return { now, view: present(now) };
}

function viewOf(actor: Actor, stored: Authentication) {
  const { now, view } = presentNow(actor, stored);
  return { authentication_id: now.authenticationId, trans_status: now.transStatus, ...view };
}
