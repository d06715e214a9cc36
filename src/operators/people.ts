import { EmbossError, invalid, notFound } from '../kernel/error.ts';
import type { OperatorChanges } from './manage-operators.ts';
import type { Operator } from './operator.ts';

/** The rules by which administrators manage people in the console. The command line is not bound by them. */

type Administrator = Pick<Operator, 'id' | 'programId'>;
type Person = Pick<Operator, 'id' | 'role' | 'programId' | 'disabledAt'>;

/** An administrator of one program manages only people of that program: others do not exist for this administrator. */
export function requireManaged(by: Administrator, person: Person): void {
  if (by.programId !== null && person.programId !== by.programId) throw notFound();
}

/** The program of a new or changed person. */
export function checkProgram(
  by: Administrator,
  programId: string | null,
  programs: readonly { id: string }[],
): string | null {
  if (by.programId !== null && programId !== by.programId)
    throw invalid('programId', 'must be your program: you are an administrator of one program');
  if (programId !== null && !programs.some(({ id }) => id === programId))
    throw invalid('programId', 'is not a program');
  return programId;
}

/** `administrators`: the ids of the enabled administrators of all programs. */
export function requireAllowedChange(
  by: Administrator,
  person: Person,
  { role = person.role, programId = person.programId, enabled = person.disabledAt === null }: OperatorChanges,
  administrators: readonly string[],
): void {
  requireManaged(by, person);
  if (person.id === by.id) {
    if (role !== person.role) throw invalid('role', 'you cannot change your own role');
    if (programId !== person.programId) throw invalid('programId', 'you cannot change your own programs');
    if (!enabled) throw invalid('enabled', 'you cannot disable yourself');
  }
  const staysAdministrator = role === 'admin' && programId === null && enabled;
  if (!staysAdministrator && administrators.length === 1 && administrators[0] === person.id)
    throw new EmbossError(409, 'The last administrator of all programs must stay; add another one first');
}

/** Own password and second factor are changed on the account page, which requires more. */
export function requireOther(by: Administrator, person: Person): void {
  requireManaged(by, person);
  if (person.id === by.id) throw new EmbossError(409, 'Change your own account on your account page');
}

/** True if a change gives access that the person does not have: it needs the administrator's password. */
export const needsConfirmation = (
  changes: OperatorChanges,
  person: Pick<Person, 'role' | 'programId'>,
): boolean => changes.enabled === true || changesAccess(changes, person);

export const changesAccess = (
  { role, programId }: OperatorChanges,
  person: Pick<Person, 'role' | 'programId'>,
): boolean =>
  (role !== undefined && role !== person.role) || (programId !== undefined && programId !== person.programId);
