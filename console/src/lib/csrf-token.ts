/** The session's token, which every request that changes something carries. In memory alone: a reload asks anew. */
let token: string | null = null;

export const readCsrfToken = (): string | null => token;

export function keepCsrfToken(value: string | null): void {
  token = value;
}
