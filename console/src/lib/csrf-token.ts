import type { Session } from './types.ts';

/** Whose page this is, and the token that its requests carry. In memory alone: a reload asks anew. */
let held: { token: string; operatorId: string } | null = null;

export const readCsrfToken = (): string | null => held?.token ?? null;

/** Somebody else may have signed in meanwhile, in another tab. */
export const isSamePerson = ({ operator }: Session): boolean => held?.operatorId === operator.id;

export function keepCsrfToken(session: Session | null): void {
  held = session && { token: session.csrfToken, operatorId: session.operator.id };
}
