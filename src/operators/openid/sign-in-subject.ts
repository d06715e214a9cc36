import type { Identity } from '../../audit/entry.ts';
import type { Tx } from '../../db/database.ts';
import { EmbossError } from '../../kernel/error.ts';
import { secret } from '../../kernel/secret.ts';
import { listPrograms } from '../../programs/queries.ts';
import { readInvitation } from '../accept-invitation.ts';
import { deleteInvitation } from '../invitation-queries.ts';
import { addOperator, changeOperator } from '../manage-operators.ts';
import { openSession } from '../open-session.ts';
import { actorName, checkEmail, checkName } from '../operator.ts';
import { SIGN_INS } from '../prove.ts';
import { findOperatorByEmail, findOperatorBySubject, lockOperator, type OperatorRow } from '../queries.ts';
import { deviceIdOf, isUnaltered } from '../seals.ts';
import type { Finished, OpenIdServices } from './finished.ts';
import type { Subject } from './provider.ts';
import { type RefusedFlow, refused } from './refusal.ts';
import { type Grant, grantOf } from './roles.ts';

interface Arrival {
  device: string | undefined;
  userAgent: string | undefined;
  /** The token of an invitation. */
  invitation: string | undefined;
}

/**
 * Signs in the operator who is linked to a person of the provider, or adds one. The link is the provider's id of the
 * person: an e-mail address alone never gives access to an account.
 */
export async function signInSubject(
  services: OpenIdServices,
  by: Identity,
  subject: Subject,
  arrival: Arrival,
): Promise<Finished> {
  const { db, digest, provider, metrics } = services;
  const found = await findOperatorBySubject(db, subject.issuer, subject.subject);
  if (found && (found.disabledAt !== null || !isUnaltered(digest, found, services.onError)))
    return refused('disabled', found);
  const grant = await readGrant(services, subject);
  if (provider.grants && !grant) return refused('no role', found);
  const ready = found
    ? await withGrant(services, by, found, grant)
    : await addSubject(services, by, subject, grant, arrival.invitation);
  if ('kind' in ready) return ready;
  metrics.count(SIGN_INS, { outcome: 'signed_in' });
  const opened = await db.transaction(async (tx) => {
    const operator = await lockOperator(tx, ready.id);
    if (!operator || operator.disabledAt !== null) return undefined;
    const device = deviceIdOf(digest, arrival.device, operator.email) ? arrival.device : undefined;
    const facts = { device, userAgent: arrival.userAgent, openid: subject.issuer };
    return openSession(tx, digest, by, operator, facts);
  });
  return opened ? { kind: 'signed in', opened } : refused('disabled', found);
}

/** Of a program that exists. */
async function readGrant({ db, provider }: OpenIdServices, { roles }: Subject): Promise<Grant | undefined> {
  const grant = provider.grants && grantOf(provider.grants, roles);
  if (!grant || grant.programId === null) return grant;
  return (await listPrograms(db)).some(({ id }) => id === grant.programId) ? grant : undefined;
}

/** The provider decides at each sign-in: it may also take a role away. */
const withGrant = async (
  { db, digest }: OpenIdServices,
  by: Identity,
  operator: OperatorRow,
  grant: Grant | undefined,
): Promise<{ id: string }> =>
  !grant || (grant.role === operator.role && grant.programId === operator.programId)
    ? operator
    : changeOperator(db, { digest }, { ...by, name: 'system:openid' }, operator.id, grant);

async function addSubject(
  services: OpenIdServices,
  by: Identity,
  subject: Subject,
  grant: Grant | undefined,
  token: string | undefined,
): Promise<{ id: string } | RefusedFlow> {
  const { db } = services;
  const link = { issuer: subject.issuer, subject: subject.subject };
  try {
    if (token !== undefined) {
      const invitation = await readInvitation(services, secret(token));
      const { email, name, role, programId } = invitation;
      return await add(services, { ...by, name: actorName(invitation) }, async (tx) => {
        if (!(await deleteInvitation(tx, invitation.id))) throw new EmbossError(404, 'used meanwhile');
        return [{ email, name, ...(grant ?? { role, programId }) }, link, 'operator.invitation_accepted'];
      });
    }
    if (!grant) return refused('unknown');
    if (subject.email === undefined) return refused('unverified');
    const email = checkEmail(subject.email);
    if (await findOperatorByEmail(db, email)) return refused('taken');
    const person = { email, name: nameOf(subject, email), ...grant };
    return await add(services, { ...by, name: 'system:openid' }, async () => [
      person,
      link,
      'operator.added',
    ]);
  } catch (error) {
    if (!(error instanceof EmbossError)) throw error;
    if (token !== undefined && error.httpStatus === 404) return refused('invitation');
    return refused(error.httpStatus === 409 ? 'taken' : 'provider');
  }
}

type Addition = [
  input: Parameters<typeof addOperator>[3],
  link: { issuer: string; subject: string },
  action: 'operator.added' | 'operator.invitation_accepted',
];

const add = (
  { db, ...services }: OpenIdServices,
  by: Identity,
  prepare: (tx: Tx) => Promise<Addition>,
): Promise<{ id: string }> =>
  db.transaction(async (tx) => (await addOperator(tx, services, by, ...(await prepare(tx)))).operator);

/** The provider's name of the person where it is one for us. */
function nameOf({ name }: Subject, email: string): string {
  try {
    return checkName(name ?? email);
  } catch {
    return email;
  }
}
