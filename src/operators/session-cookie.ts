import { readCookie, writeCookie } from '../http/cookies.ts';

interface Request {
  headers: { cookie?: string | undefined };
}

export interface SessionCookie {
  read(request: Request): string | undefined;
  write(token: string, maxAgeSeconds: number): string;
}

export interface SessionCookies {
  /** Sent to the console API only. */
  session: SessionCookie;
  /** Identifies a known browser at the next sign-in. It stays after a sign-out. */
  device: SessionCookie;
}

/** With https, the prefix `__Secure-` in the name makes browsers refuse the cookie from any page without https. */
export function sessionCookies(publicUrl: string): SessionCookies {
  const secure = publicUrl.startsWith('https:');
  const cookie = (ending: string, path: string): SessionCookie => {
    const name = `${secure ? '__Secure-' : ''}emboss_${ending}`;
    return {
      read: (request) => readCookie(request.headers.cookie, name),
      write: (token, maxAgeSeconds) => writeCookie(name, token, { path, secure, maxAgeSeconds }),
    };
  };
  return { session: cookie('session', '/console/api'), device: cookie('device', '/console/api/session') };
}
