import type { AuthenticationServices } from '../../authentications/change-authentication.ts';
import type { NumberFields } from '../../http/card-numbers.ts';
import type { AnswerById } from '../../http/idempotency.ts';
import { badRequest, conflict, IdempotencyHeaders, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { newId } from '../../kernel/ids.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { claimOf, markReplay } from '../../programs/answer-request.ts';
import { findByAnyId, presentInSandbox } from './read-authentication.ts';
import {
  EXAMPLE_SANDBOX_AUTHENTICATION,
  SandboxAuthentication,
  SandboxAuthenticationPath,
  SimulatedAuthenticationBody,
} from './schema.ts';
import { simulateAuthentication } from './simulate-authentication.ts';

export function sandboxAuthenticationRoutes(
  app: App,
  services: AuthenticationServices & { answerById: AnswerById; publicUrl: string },
): void {
  app.post(
    '/authentications/',
    {
      config: {
        scope: 'write',
        role: 'manager',
        audit: { action: 'console.simulateAuthentication', fields: ['card_id', 'amount', 'currency'] },
        numbersIn: ['merchant'],
      } satisfies Access & NumberFields,
      schema: {
        operationId: 'simulateAuthentication',
        summary: 'Simulate an authentication (3-D Secure)',
        description:
          'Runs the same operation as the network API. Missing values are filled in. The response shows the one-time password.',
        headers: IdempotencyHeaders,
        body: SimulatedAuthenticationBody,
        response: {
          200: success(SandboxAuthentication, 'Decided', EXAMPLE_SANDBOX_AUTHENTICATION),
          ...badRequest([400, 'amount: must have at most 2 decimals in EUR']),
          ...conflict('authentication_id', 'Idempotency-Key'),
        },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const { body } = request;
      const claim = claimOf(request, { endpoint: 'POST sandbox acs', request: body });
      reply.header('cache-control', 'no-store');
      // The record of the key has the id only: it must not keep a code, and a repeat shows the state now.
      const id = await markReplay(
        reply,
        services.answerById(
          claim,
          () => `acs-${newId(actor.now())}`,
          async (newAuthenticationId) =>
            (await simulateAuthentication(services, actor, body, newAuthenticationId)).id,
        ),
      );
      return presentInSandbox(services, actor, await findByAnyId(services, actor, id));
    },
  );

  app.get(
    '/authentications/:authenticationId/',
    {
      // The role of the simulator, because the code completes the authentication.
      config: { scope: 'read', role: 'manager' } satisfies Access,
      schema: {
        operationId: 'getSandboxAuthentication',
        summary: 'Get an authentication with its one-time password',
        params: SandboxAuthenticationPath,
        response: {
          200: success(SandboxAuthentication, 'The authentication now', EXAMPLE_SANDBOX_AUTHENTICATION),
        },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      reply.header('cache-control', 'no-store');
      return presentInSandbox(
        services,
        actor,
        await findByAnyId(services, actor, request.params.authenticationId),
      );
    },
  );
}
