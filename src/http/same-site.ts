import { EmbossError } from '../kernel/error.ts';

/**
 * Refuses requests that a browser sends for a page of another site. Browsers state the site of a request in headers that
 * scripts cannot set; a client without these headers is no browser. `ownOrigin` also covers browsers that send `Origin`
 * only.
 */
export function requireSameSite(
  headers: Record<string, string | string[] | undefined>,
  ownOrigin: string | undefined = undefined,
): void {
  const { origin, 'sec-fetch-site': site } = headers;
  const isForeign = ownOrigin !== undefined && origin !== undefined && origin !== ownOrigin;
  if (isForeign || (site !== undefined && site !== 'same-origin'))
    throw new EmbossError(403, 'The request comes from another site');
}
