import { differences, type Effect } from './effect.ts';

const SESSION = '/console/api/session/';

/** The cookie of the answer is that of a session, and the session is of whoever signed in. */
export const signIn: Effect = async ({ sent, reply, answer, ask }) => {
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
  const { status: ofPassword } = await ask('POST', SESSION, { body: { email, password } });
  return [
    ...(ofSession === 200 ? [] : [`the session of the change is answered ${ofSession}`]),
    ...(ofPassword === 200 ? [] : [`the new password is answered ${ofPassword}`]),
  ];
};
