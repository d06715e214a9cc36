import { parseCookie, stringifySetCookie } from 'cookie';

/** The value of one cookie of a request. */
export const readCookie = (header: string | undefined, name: string): string | undefined =>
  header === undefined ? undefined : parseCookie(header)[name];

/** Hidden from scripts and from other sites. `maxAgeSeconds` 0 deletes it. */
export const writeCookie = (
  name: string,
  value: string,
  options: { path: string; secure: boolean; maxAgeSeconds: number },
): string =>
  stringifySetCookie({
    name,
    value,
    path: options.path,
    secure: options.secure,
    maxAge: options.maxAgeSeconds,
    httpOnly: true,
    sameSite: 'strict',
  });
