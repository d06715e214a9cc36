import { readCookie, writeCookie } from '../http/cookies.ts';

/** The cookie goes to the console's API and nowhere else. */
const PATH = '/console/api';

export interface SessionCookie {
  read(request: { headers: { cookie?: string | undefined } }): string | undefined;
  write(token: string, maxAgeSeconds: number): string;
}

/** Behind https the name itself keeps the cookie from being set by anybody who does not speak https for us. */
export function sessionCookie(publicUrl: string): SessionCookie {
  const secure = publicUrl.startsWith('https:');
  const name = secure ? '__Secure-emboss_session' : 'emboss_session';
  return {
    read: (request) => readCookie(request.headers.cookie, name),
    write: (token, maxAgeSeconds) => writeCookie(name, token, { path: PATH, secure, maxAgeSeconds }),
  };
}
