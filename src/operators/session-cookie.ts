import { parseCookie, stringifySetCookie } from 'cookie';

interface Request {
  headers: { cookie?: string | undefined };
}

export interface SessionCookie {
  read(request: Request): string | undefined;
  /** `maxAgeSeconds` 0 deletes it. */
  write(token: string, maxAgeSeconds: number): string;
}

export interface SessionCookies {
  /** Sent to the console API only. */
  session: SessionCookie;
  /**
   * Identifies a known browser at the next sign-in, and to the limit of requests without a session. It stays after a
   * sign-out.
   */
  device: SessionCookie;
  /** What the server remembers of a sign-in at the OpenID provider, sealed. The provider's answer comes from another site. */
  flow: SessionCookie;
  /** That the person of the session has signed in again at the provider. */
  confirmation: SessionCookie;
}

/** With https, the prefix `__Secure-` in the name makes browsers refuse the cookie from any page without https. */
export function sessionCookies(publicUrl: string): SessionCookies {
  const secure = publicUrl.startsWith('https:');
  // Hidden from scripts and from other sites.
  const kept = { secure, httpOnly: true };
  const cookie = (ending: string, path: string, sameSite: 'strict' | 'lax' = 'strict'): SessionCookie => {
    const name = `${secure ? '__Secure-' : ''}emboss_${ending}`;
    return {
      read: ({ headers }) => parseCookie(headers.cookie ?? '')[name],
      write: (value, maxAge) => stringifySetCookie({ ...kept, sameSite, name, value, path, maxAge }),
    };
  };
  return {
    session: cookie('session', '/console/api'),
    device: cookie('device', '/console'),
    flow: cookie('openid', '/console/api/session/openid', 'lax'),
    confirmation: cookie('confirmation', '/console/api'),
  };
}
