import type { Database } from '../../db/database.ts';
import { badRequest, Message, refusal, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { EmbossError, notFound } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import { reveal } from '../../kernel/secret.ts';
import { addOperator, changeOperator, changePassword } from '../../operators/manage-operators.ts';
import type { OpenIdProvider } from '../../operators/openid/provider.ts';
import type { Operator } from '../../operators/operator.ts';
import { generatePassword } from '../../operators/password.ts';
import {
  changesAccess,
  checkProgram,
  needsConfirmation,
  requireAllowedChange,
  requireManaged,
  requireOther,
} from '../../operators/people.ts';
import { findOperators, listPeople } from '../../operators/queries.ts';
import { identityOf } from '../../operators/routes.ts';
import { EXAMPLE_SESSIONS, Sessions } from '../../operators/schema.ts';
import { removeSecondFactor } from '../../operators/second-factor.ts';
import { endSessions, readSessions } from '../../operators/sessions.ts';
import { unlock } from '../../operators/sign-in.ts';
import type { Access } from '../../programs/access.ts';
import { listPrograms } from '../../programs/queries.ts';
import {
  type ConfirmServices,
  confirmRequest,
  type OperatorRequest,
  operatorOf,
} from '../confirm-request.ts';
import { presentPerson } from './present-person.ts';
import {
  ConfirmedBody,
  EXAMPLE_PERSON,
  NewPerson,
  NewPersonBody,
  People,
  Person,
  PersonBody,
  PersonPath,
  PersonSessionPath,
} from './schema.ts';

const MOST_PEOPLE = 1_000;
const ADMIN = { role: 'admin', installation: 'always' } as const satisfies Access;
const EXAMPLE_NEW = { ...EXAMPLE_PERSON, generatedPassword: 'k3wq7-9mzpt-x8fda-2jhnv' };

/** The operators that an administrator manages: those of one program, or all of them. */
export function peopleRoutes(
  app: App,
  { signIn, provider }: { signIn: ConfirmServices; provider: OpenIdProvider | undefined },
): void {
  const { db } = signIn;
  const errors = (example: string, conflict?: string) => ({
    ...badRequest([400, example]),
    ...(conflict && refusal(409, 'Not possible in the current state', conflict)),
    ...refusal(429, 'The account is locked', 'Too many wrong passwords or codes; try again in 30 minutes'),
  });
  const by = (request: OperatorRequest) => identityOf(operatorOf(request), request);

  app.get(
    '/people/',
    {
      config: ADMIN,
      schema: {
        operationId: 'listPeople',
        summary: 'List people',
        description: `By name, at most ${MOST_PEOPLE}.`,
        response: { 200: success(People, 'The people that you manage', { people: [EXAMPLE_PERSON] }) },
      },
    },
    async (request) => {
      const people = await listPeople(db, operatorOf(request).programId, MOST_PEOPLE);
      return { people: people.map(presentPerson) };
    },
  );

  app.post(
    '/people/',
    {
      config: ADMIN,
      schema: {
        operationId: 'addPerson',
        summary: 'Add a person',
        description: 'Generates a password, which is shown only once.',
        body: NewPersonBody,
        response: {
          201: success(NewPerson, 'Added. The password is shown only once', EXAMPLE_NEW),
          ...errors('password: is wrong', 'An operator with the address grace@example.com already exists'),
        },
      },
    },
    async (request, reply) => {
      const { email, name, role } = request.body;
      const programId = checkProgram(operatorOf(request), request.body.programId, await listPrograms(db));
      await confirmRequest(signIn, request);
      const { operator, password } = await db.transaction((tx) =>
        addOperator(tx, signIn, by(request), { email, name, role, programId }),
      );
      return reply.code(201).send({ ...presentPerson(operator), generatedPassword: reveal(password) });
    },
  );

  app.put(
    '/people/:operatorId/',
    {
      config: ADMIN,
      schema: {
        operationId: 'changePerson',
        summary: 'Change, disable or enable a person',
        description:
          'Changes the given fields and keeps the others. Takes effect with the next request of the person.',
        params: PersonPath,
        body: PersonBody,
        response: {
          200: success(Person, 'Changed', EXAMPLE_PERSON),
          ...errors(
            'role: you cannot change your own role',
            'The last administrator of all programs must stay; add another one first',
          ),
        },
      },
    },
    async (request) => {
      const acting = operatorOf(request);
      const { name, role, programId, enabled } = request.body;
      if (programId !== undefined) checkProgram(acting, programId, await listPrograms(db));
      const changes = {
        ...(name !== undefined && { name }),
        ...(role !== undefined && { role }),
        ...(programId !== undefined && { programId }),
        ...(enabled !== undefined && { enabled }),
      };
      const person = await findPerson(db, acting, request.params.operatorId);
      if (provider?.grants && person.openidSubject !== null && changesAccess(changes, person))
        throw new EmbossError(409, `Role and programs of ${person.email} come from ${provider.name}`);
      if (needsConfirmation(changes, person)) await confirmRequest(signIn, request);
      const changed = await changeOperator(db, signIn, by(request), person.id, changes, (found, admins) =>
        requireAllowedChange(acting, found, changes, admins),
      );
      return presentPerson(changed);
    },
  );

  app.post(
    '/people/:operatorId/reset-password/',
    {
      config: ADMIN,
      schema: {
        operationId: 'resetPassword',
        summary: 'Reset the password of a person',
        description:
          'Generates a password, ends all sessions of the person and the link to an OpenID provider, and unlocks the account.',
        params: PersonPath,
        body: ConfirmedBody,
        response: {
          200: success(NewPerson, 'The new password. It is shown only once', EXAMPLE_NEW),
          ...errors('password: is wrong', 'Change your own account on your account page'),
        },
      },
    },
    async (request) => {
      const acting = operatorOf(request);
      const person = await findPerson(db, acting, request.params.operatorId);
      requireOther(acting, person);
      await confirmRequest(signIn, request);
      const chosen = { password: generatePassword(), isTheirOwn: false };
      const changed = await changePassword(db, signIn, by(request), person, chosen, null, (found) =>
        requireOther(acting, found),
      );
      await unlock(signIn, by(request), changed);
      return { ...presentPerson(changed), generatedPassword: reveal(chosen.password) };
    },
  );

  app.post(
    '/people/:operatorId/remove-second-factor/',
    {
      config: ADMIN,
      schema: {
        operationId: 'removePersonSecondFactor',
        summary: 'Remove the second factor of a person who lost it',
        description: 'Ends all sessions of the person.',
        params: PersonPath,
        body: ConfirmedBody,
        response: {
          200: success(Person, 'Removed', { ...EXAMPLE_PERSON, hasSecondFactor: false }),
          ...errors('password: is wrong', 'grace@example.com has no second factor'),
        },
      },
    },
    async (request) => {
      const acting = operatorOf(request);
      const person = await findPerson(db, acting, request.params.operatorId);
      requireOther(acting, person);
      await confirmRequest(signIn, request);
      return presentPerson(
        await removeSecondFactor(signIn, by(request), person, null, (found) => requireOther(acting, found)),
      );
    },
  );

  app.get(
    '/people/:operatorId/sessions/',
    {
      config: ADMIN,
      schema: {
        operationId: 'listPersonSessions',
        summary: 'List the sessions of a person',
        params: PersonPath,
        response: { 200: success(Sessions, 'The sessions, the last used first', EXAMPLE_SESSIONS) },
      },
    },
    async (request) => {
      const { id } = await findPerson(db, operatorOf(request), request.params.operatorId);
      return { sessions: await readSessions(db, id) };
    },
  );

  for (const [path, operationId, summary] of [
    ['/people/:operatorId/sessions/', 'endPersonSessions', 'End all sessions of a person'],
    ['/people/:operatorId/sessions/:sessionId/', 'endPersonSession', 'End a session of a person'],
  ] as const)
    app.delete(
      path,
      {
        config: ADMIN,
        schema: {
          operationId,
          summary,
          params: path.endsWith(':sessionId/') ? PersonSessionPath : PersonPath,
          response: { 200: success(Message, 'Ended', { message: 'Ended' }) },
        },
      },
      async (request) => {
        const { operatorId, sessionId } = request.params as { operatorId: string; sessionId?: string };
        const person = await findPerson(db, operatorOf(request), operatorId);
        await endSessions(db, by(request), person, { ...(sessionId !== undefined && { sessionId }) });
        return { message: 'Ended' };
      },
    );
}

/** A person that the administrator does not manage gets the same 404 as an unknown one. */
async function findPerson(db: Database, acting: Operator, id: string): Promise<Operator> {
  const [person] = isId(id) ? await findOperators(db, [id]) : [];
  if (!person) throw notFound();
  requireManaged(acting, person);
  return person;
}
