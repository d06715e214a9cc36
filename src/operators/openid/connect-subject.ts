import type { Identity } from '../../audit/entry.ts';
import { auditAccount } from '../audit.ts';
import { IDLE_MS } from '../authenticate-session.ts';
import { actorName, type Operator } from '../operator.ts';
import { deleteSessionsOf, findOperatorBySubject, findSession } from '../queries.ts';
import { lockKnownOperator, saveOperator } from '../save-operator.ts';
import type { Finished, OpenIdServices } from './finished.ts';
import type { Subject } from './provider.ts';
import { refused } from './refusal.ts';

/** Links an account to a person of the provider. All other sessions end: the account has a new way in. */
export async function connectSubject(
  { db, digest }: OpenIdServices,
  by: Identity,
  operator: Operator,
  { issuer, subject }: Subject,
  session: string,
): Promise<Finished> {
  const person = { ...by, name: actorName(operator) };
  const sessionHash = Buffer.from(session, 'hex');
  return db.transaction(async (tx) => {
    const known = await findOperatorBySubject(tx, issuer, subject);
    if (known) return known.id === operator.id ? { kind: 'connected' } : refused('other person', operator);
    const before = await lockKnownOperator(tx, operator.id);
    // Under the lock: who has lost the session meanwhile, by a new password for example, gets no new way in.
    if (!(await findSession(tx, [sessionHash], IDLE_MS))) return refused('expired', operator);
    const after = await saveOperator(tx, digest, { ...before, openidIssuer: issuer, openidSubject: subject });
    await deleteSessionsOf(tx, after.id, sessionHash);
    await auditAccount(tx, person, 'operator.openid_connected', before, after);
    return { kind: 'connected' };
  });
}
