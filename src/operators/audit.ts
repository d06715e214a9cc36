import { auditInstallation } from '../audit/audit.ts';
import type { Identity } from '../audit/entry.ts';
import type { Database, Tx } from '../db/database.ts';
import { clientAddress } from '../http/client-address.ts';
import type { WindowCounts } from '../kernel/window-counts.ts';
import type { InvitationRights } from './invitation-queries.ts';
import type { Refusal } from './openid/refusal.ts';
import { actorName, type Operator } from './operator.ts';

type SignInAction = `operator.${'signed_in' | 'signed_out' | 'recovery_code_used'}`;
type AccountAction = `operator.${
  | 'added'
  | 'invitation_accepted'
  | 'changed'
  | 'password_changed'
  | 'openid_connected'
  | 'second_factor_added'
  | 'second_factor_removed'
  | 'recovery_codes_renewed'}`;

/** The reason why a sign-in, or a confirmation with a password, was refused. */
export type RefusalReason = 'wrong password' | 'wrong code' | 'disabled' | 'altered' | 'locked' | 'throttled';

/** The entry names the operator as the actor, because the operator has just been authenticated. */
export const auditSignIn = (
  tx: Tx,
  by: Identity,
  action: SignInAction,
  operator: Operator,
  facts: Record<string, unknown> = {},
): Promise<void> =>
  auditInstallation(tx, { ...by, name: actorName(operator) }, action, {
    after: { ...subject(operator), ...facts },
  });

/**
 * The entry does not name the operator as the actor, because the person is not known. The entry omits an unknown
 * address: it may be a password in the wrong field.
 */
export const auditRefusal = (
  tx: Tx,
  by: Identity,
  action: 'operator.sign_in_refused' | 'operator.locked_out',
  operator: Operator | undefined,
  reason: RefusalReason,
): Promise<void> =>
  auditInstallation(tx, { ...by, name: 'system:sign-in' }, action, {
    after: { ...(operator ? subject(operator) : { email: 'unknown' }), reason },
  });

export const auditUnlock = (tx: Tx, by: Identity, operator: Operator): Promise<void> =>
  auditInstallation(tx, by, 'operator.unlocked', { after: subject(operator) });

/** `sessionId` undefined: all sessions of the operator, or all others if the operator ended them. */
export const auditEndedSessions = (
  tx: Tx,
  by: Identity,
  operator: Operator,
  facts: { sessionId?: string | undefined; sessions: number },
): Promise<void> =>
  auditInstallation(tx, by, 'operator.sessions_ended', { after: { ...subject(operator), ...facts } });

export const auditAccount = (
  tx: Tx,
  by: Identity,
  action: AccountAction,
  before: Operator | null,
  after: Operator,
): Promise<void> =>
  auditInstallation(tx, by, action, { before: before && shown(before), after: shown(after) });

export const auditInvitation = (
  tx: Tx,
  by: Identity,
  action: 'operator.invited' | 'operator.invitation_revoked',
  { id, email, name, role, programId, expiresAt }: InvitationRights,
): Promise<void> =>
  auditInstallation(tx, by, action, {
    [action === 'operator.invited' ? 'after' : 'before']: { id, email, name, role, programId, expiresAt },
  });

/** For people without an account one entry per reason, address and half an hour. */
export async function auditOpenIdRefusal(
  { db, audited }: { db: Database; audited: WindowCounts },
  by: Identity,
  reason: Refusal,
  operator: Operator | undefined,
): Promise<void> {
  if (!operator && audited.add(`openid ${reason} ${clientAddress(by.address)}`, performance.now()) > 1)
    return;
  await db.transaction((tx) =>
    auditInstallation(tx, { ...by, name: 'system:sign-in' }, 'operator.sign_in_refused', {
      after: { ...(operator ? subject(operator) : { email: 'unknown' }), reason: `openid: ${reason}` },
    }),
  );
}

const subject = ({ id, email }: Operator) => ({ id, email });

const shown = (operator: Operator) => {
  const { id, email, name, role, programId, disabledAt, mustChangePassword, secondFactorId } = operator;
  const { openidIssuer, openidSubject } = operator;
  const hasSecondFactor = secondFactorId !== null;
  const openid = openidIssuer === null ? {} : { openidIssuer, openidSubject };
  return { id, email, name, role, programId, disabledAt, mustChangePassword, hasSecondFactor, ...openid };
};
