import { type AuditRecord, INSTALLATION_ID, localActor } from '../audit/entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tx } from '../db/database.ts';
import { sourceAddress } from '../http/client-address.ts';
import { type Operator, operatorActor } from './operator.ts';

type SignInAction = `operator.${'signed_in' | 'signed_out' | 'sign_in_refused' | 'locked_out' | 'unlocked'}`;
type AccountAction = `operator.${'added' | 'changed' | 'password_changed'}`;

/** An address that nobody has leaves an entry too, without the address: it may be somebody's password. */
export const auditSignIn = (
  tx: Tx,
  action: SignInAction,
  operator: Operator | undefined,
  origin: { requestId: string; ip: string } | null,
  actor = operator ? operatorActor(operator) : 'system:sign-in',
): Promise<void> =>
  record(tx, {
    action,
    actor,
    before: null,
    after: operator ? { id: operator.id, email: operator.email } : { email: 'unknown' },
    address: origin && sourceAddress(origin.ip),
    requestId: origin?.requestId ?? null,
  });

export const auditAccount = (
  tx: Tx,
  action: AccountAction,
  actor: string,
  before: Operator | null,
  after: Operator,
): Promise<void> =>
  record(tx, { action, ...localActor(actor), before: before && shown(before), after: shown(after) });

const shown = ({ id, email, name, role, programId, disabledAt }: Operator) => ({
  id,
  email,
  name,
  role,
  programId,
  disabledAt,
});

type Entry = Omit<AuditRecord, 'programId' | 'cardId' | 'nowMs'>;

/** Operators belong to the installation, not to a program. */
const record = (tx: Tx, entry: Entry): Promise<void> =>
  recordAudit(tx, { ...entry, programId: INSTALLATION_ID, cardId: null, nowMs: Date.now() });
