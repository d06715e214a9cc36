import type { Session } from './types.ts';

/** The operator of this page and the token of its requests. In memory only: a reload requests them again. */
let held: { token: string; operatorId: string } | null = null;

export const readCsrfToken = (): string | null => held?.token ?? null;

/** Another operator may have signed in meanwhile in another tab. */
export const isSamePerson = ({ operator }: Session): boolean => held?.operatorId === operator.id;

export function keepCsrfToken(session: Session | null): void {
  held = session && { token: session.csrfToken, operatorId: session.operator.id };
}
