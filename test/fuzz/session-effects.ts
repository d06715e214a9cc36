import { differences, type Effect } from './effect.ts';
import type { Pool } from './pool.ts';

const SESSION = '/console/api/session/';

/** The cookie of the answer is that of a session, and the session is of whoever signed in. */
export const signIn: Effect = async ({ pool, sent, reply, answer, ask }) => {
  spend(pool, sent.code);
  const [cookie = ''] = (reply.headers.get('set-cookie') ?? '').split(';');
  const { status, body } = await ask('GET', SESSION, { cookie });
  if (status !== 200) return [`a new session is answered ${status}`];
  return [
    ...differences(body, { csrfToken: answer.csrfToken }),
    ...differences(body.operator, { email: sent.email.trim().toLowerCase() }),
  ];
};

export const signOut: Effect = async ({ pool, ask }) => {
  const { status } = await ask('GET', SESSION, { cookie: pool.guest.cookie });
  pool.guest.cookie = '';
  return status === 401 ? [] : [`a session that is over is answered ${status}`];
};

/** Whoever changed it stays signed in, and comes in again with the new one. */
export const changePassword: Effect = async ({ pool, sent, ask }) => {
  pool.guest.password = sent.newPassword;
  const { email, password, cookie } = pool.guest;
  const { status: ofSession } = await ask('GET', SESSION, { cookie });
  const { status: ofPassword } = await ask('POST', SESSION, { body: { email, password, ...nextCode(pool) } });
  return [
    ...(ofSession === 200 ? [] : [`the session of the change is answered ${ofSession}`]),
    ...(ofPassword === 200 ? [] : [`the new password is answered ${ofPassword}`]),
  ];
};

/** A recovery code opens once. */
function spend({ guest }: Pool, code: unknown): void {
  guest.recoveryCodes = guest.recoveryCodes.filter((one) => one !== code);
}

function nextCode(pool: Pool): { code?: string } {
  const [code] = pool.guest.recoveryCodes;
  if (pool.guest.secret === undefined || code === undefined) return {};
  spend(pool, code);
  return { code };
}

export const beginSecondFactor: Effect = ({ pool, answer }) => {
  pool.guest.begun = { enrolment: answer.enrolment, secret: answer.secret };
  return answer.uri.includes(answer.secret) ? [] : ['the address for the app lacks the secret'];
};

/** From now on a password alone is not enough, and a recovery code makes up for it. */
export const confirmSecondFactor: Effect = async ({ pool, answer, ask }) => {
  const { guest } = pool;
  guest.secret = guest.begun?.secret as string;
  delete guest.begun;
  guest.recoveryCodes = answer.recoveryCodes;
  const { email, password } = guest;
  const { status: without } = await ask('POST', SESSION, { body: { email, password } });
  const { status: withCode } = await ask('POST', SESSION, { body: { email, password, ...nextCode(pool) } });
  return [
    ...(without === 401 ? [] : [`a password without a code is answered ${without}`]),
    ...(withCode === 200 ? [] : [`a recovery code is answered ${withCode}`]),
  ];
};

export const renewRecoveryCodes: Effect = ({ pool, answer }) => {
  pool.guest.recoveryCodes = answer.recoveryCodes;
  return answer.recoveryCodes.length === 10 ? [] : ['there are not ten recovery codes'];
};

export const removeSecondFactor: Effect = async ({ pool, ask }) => {
  const { guest } = pool;
  delete guest.secret;
  guest.recoveryCodes = [];
  const { email, password } = guest;
  const { status } = await ask('POST', SESSION, { body: { email, password } });
  return status === 200 ? [] : [`a password alone is answered ${status}`];
};
