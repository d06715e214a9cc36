import { reveal, secret } from '../../../src/kernel/secret.ts';
import { addOperator } from '../../../src/operators/manage-operators.ts';
import { createPasswords } from '../../../src/operators/password.ts';
import type { Role } from '../../../src/programs/access.ts';
import { TESTER } from '../server/actor.ts';
import type { Answer, TestApp } from '../server/test-app.ts';

export const SESSION = '/console/api/session/';
export const PASSWORD = 'a password for 9 tests';

export interface SignedIn {
  id: string;
  email: string;
  password: string;
  cookie: string;
  csrfToken: string;
  /** Calls the console's API as this operator; `path` is relative to the program. */
  call(method: string, path: string, body?: unknown, programId?: string): Promise<Answer>;
}

/** Tests hash and check many passwords. What the product takes is tested in src/cli/start.test.ts. */
const CHEAP = { N: 1_024, r: 8, p: 1 };

export const cheapPasswords = ({ vault: { digest } }: Pick<TestApp, 'vault'>) => ({
  digest,
  passwords: createPasswords(digest, CHEAP),
});

let made = 0;

export async function addTestOperator(
  app: TestApp,
  role: Role,
  programId: string | null = null,
  { name = `Test ${role}`, isTheirOwn = true } = {},
): Promise<{ id: string; email: string; password: string }> {
  const email = `${role}-${++made}@example.com`;
  const { operator, password } = await app.db.transaction((tx) =>
    addOperator(
      tx,
      cheapPasswords(app),
      TESTER,
      { email, name, role, programId },
      { password: secret(PASSWORD), isTheirOwn },
    ),
  );
  return { id: operator.id, email, password: reveal(password) };
}

export const cookieOf = (answer: Answer): string =>
  (answer.headers.get('set-cookie') ?? '').split(';')[0] as string;

export async function signInAs(
  app: TestApp,
  role: Role,
  programId: string | null = null,
  options: { name?: string } = {},
): Promise<SignedIn> {
  const operator = await addTestOperator(app, role, programId, options);
  const { email, password } = operator;
  const answer = await app.call('POST', SESSION, { key: null, body: { email, password } });
  if (answer.status !== 200) throw new Error(`signing in was answered ${answer.status}`);
  const cookie = cookieOf(answer);
  const { csrfToken } = answer.body;
  return {
    ...operator,
    cookie,
    csrfToken,
    call: (method, path, body, program = app.program.id) =>
      app.call(method, `/console/api/programs/${program}/${path}`, {
        key: null,
        body,
        headers: { cookie, 'x-csrf-token': csrfToken },
      }),
  };
}
