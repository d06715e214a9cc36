import { readCookie, writeCookie } from '../http/cookies.ts';

interface Request {
  headers: { cookie?: string | undefined };
}

export interface SessionCookie {
  read(request: Request): string | undefined;
  write(token: string, maxAgeSeconds: number): string;
}

export interface SessionCookies {
  /** Goes to the console's API and nowhere else. */
  session: SessionCookie;
  /** Says on the next sign-in that this browser is known; it stays when the operator signs out. */
  device: SessionCookie;
}

/** Behind https the name itself keeps the cookie from being set by anybody who does not speak https for us. */
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
