import { INSTALLATION_ID } from '../audit/entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tx } from '../db/database.ts';
import { sourceAddress } from '../http/client-address.ts';
import { type Operator, operatorActor } from './operator.ts';

/** The request behind something: its id, and where it comes from. Null for what the command line does. */
export interface Origin {
  requestId: string;
  /** The client's address, as Fastify names it. */
  ip: string;
}

type SignInAction = `operator.${'signed_in' | 'signed_out' | 'recovery_code_used' | 'unlocked'}`;
type AccountAction = `operator.${
  | 'added'
  | 'changed'
  | 'password_changed'
  | 'second_factor_added'
  | 'second_factor_removed'
  | 'recovery_codes_renewed'}`;

/** Why an attempt to sign in, or to confirm something with a password, was refused. */
export type RefusalReason = 'wrong password' | 'wrong code' | 'disabled' | 'altered' | 'locked' | 'throttled';

export const auditSignIn = (
  tx: Tx,
  action: SignInAction,
  operator: Operator,
  origin: Origin | null,
  more: { actor?: string; [fact: string]: unknown } = {},
): Promise<void> => {
  const { actor = operatorActor(operator), ...facts } = more;
  return record(tx, origin, { action, actor, before: null, after: { ...subject(operator), ...facts } });
};

/**
 * Who tried is not known: the operator is what was tried at, not who did it. An address that no operator has leaves an
 * entry without the address, which may be a password typed into the wrong field.
 */
export const auditRefusal = (
  tx: Tx,
  action: 'operator.sign_in_refused' | 'operator.locked_out',
  operator: Operator | undefined,
  reason: RefusalReason,
  origin: Origin,
): Promise<void> => {
  const after = { ...(operator ? subject(operator) : { email: 'unknown' }), reason };
  return record(tx, origin, { action, actor: 'system:sign-in', before: null, after });
};

export const auditAccount = (
  tx: Tx,
  action: AccountAction,
  actor: string,
  before: Operator | null,
  after: Operator,
  origin: Origin | null = null,
): Promise<void> =>
  record(tx, origin, { action, actor, before: before && shown(before), after: shown(after) });

const subject = ({ id, email }: Operator) => ({ id, email });

const shown = (operator: Operator) => {
  const { id, email, name, role, programId, disabledAt, mustChangePassword, secondFactorId } = operator;
  const hasSecondFactor = secondFactorId !== null;
  return { id, email, name, role, programId, disabledAt, mustChangePassword, hasSecondFactor };
};

type Entry = Pick<Parameters<typeof recordAudit>[1], 'action' | 'actor' | 'before' | 'after'>;

/** Operators belong to the installation, not to a program. */
const record = (tx: Tx, origin: Origin | null, entry: Entry): Promise<void> =>
  recordAudit(tx, {
    ...entry,
    programId: INSTALLATION_ID,
    cardId: null,
    address: origin && sourceAddress(origin.ip),
    requestId: origin?.requestId ?? null,
    nowMs: Date.now(),
  });
