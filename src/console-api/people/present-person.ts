import { formatTimestamp } from '../../kernel/calendar.ts';
import type { Operator } from '../../operators/operator.ts';

export const presentPerson = (operator: Operator) => {
  const { id, email, name, role, programId, mustChangePassword, lastSignedInAt } = operator;
  return {
    ...{ id, email, name, role, programId, mustChangePassword },
    state: operator.disabledAt ? ('disabled' as const) : ('active' as const),
    hasPassword: operator.hasPassword,
    hasOpenId: operator.openidSubject !== null,
    hasSecondFactor: operator.secondFactorId !== null,
    lastSignIn: lastSignedInAt && formatTimestamp(lastSignedInAt),
    created: formatTimestamp(operator.createdAt),
  };
};
