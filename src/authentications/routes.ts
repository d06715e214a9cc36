import type { TSchema } from 'typebox';
import { secretField } from '../http/body.ts';
import type { NumberFields } from '../http/card-numbers.ts';
import { badRequest, conflict, refusal, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import type { Secret } from '../kernel/secret.ts';
import { actorOf } from '../programs/actor.ts';
import { attemptOtp } from './attempt-otp.ts';
import { cancelAuthentication } from './cancel-authentication.ts';
import type { AuthenticationServices } from './change-authentication.ts';
import { EXAMPLE_CANCELLED, EXAMPLE_CHALLENGE, EXAMPLE_DONE, EXAMPLE_TOKENIZATION } from './examples.ts';
import { onAuthentication, submitAuthentication } from './network-api.ts';
import { resendOtp, TOO_MANY_SENDS } from './resend-otp.ts';
import {
  AttemptBody,
  AuthenticationBody,
  AuthenticationPath,
  AuthenticationView,
  TokenizationBody,
  TokenizationPath,
  TokenizationView,
} from './schema.ts';
import { submitTokenization } from './tokenization.ts';

const PATH = '/authentications/:authentication_id/';
const NOT_SENT = refusal(
  503,
  'The code could not be sent, or the database is unavailable; retry',
  'The code could not be sent; a code that was sent before stays valid. Retry',
);
const TOO_MANY = refusal(429, 'Too many requests, or too many codes for the card', TOO_MANY_SENDS);

/** Called with the network key by the access control server and by wallets. */
export function authenticationRoutes(app: App, services: AuthenticationServices): void {
  createRoute(app, services);
  challengeRoutes(app, services);
  tokenizationRoute(app, services);
}

function createRoute(app: App, services: AuthenticationServices): void {
  app.post(
    '/authentications/',
    {
      config: { numbersIn: ['card_number', 'merchant'] } satisfies NumberFields,
      schema: {
        operationId: 'authenticate',
        summary: 'Authenticate a cardholder (3-D Secure)',
        description:
          'Decides whether the cardholder is authenticated, challenged or rejected. A challenge by one-time password sends the code before the response. Idempotent by `authentication_id`.',
        body: AuthenticationBody,
        response: {
          200: success(AuthenticationView, 'Decided', EXAMPLE_CHALLENGE),
          ...badRequest([400, 'amount: must have at most 2 decimals in EUR']),
          ...conflict('authentication_id'),
        },
      },
    },
    async (request) =>
      submitAuthentication(
        services,
        actorOf(request),
        request.body,
        secretField(request, 'card_number') as Secret,
      ),
  );
}

function challengeRoutes(app: App, services: AuthenticationServices): void {
  const operation = (
    operationId: string,
    summary: string,
    description: string,
    example: unknown,
    more: Record<number, TSchema> = {},
  ) => ({
    operationId,
    summary,
    description,
    params: AuthenticationPath,
    response: {
      200: success(AuthenticationView, 'The authentication now', example),
      ...more,
    },
  });

  app.get(
    PATH,
    {
      schema: operation('getAuthentication', 'Get an authentication', 'Its status now.', EXAMPLE_CHALLENGE),
    },
    async (request) =>
      onAuthentication(services, actorOf(request), request.params.authentication_id, async (found) => found),
  );

  app.post(
    `${PATH}attempts/`,
    {
      schema: {
        ...operation(
          'attemptOtp',
          'Check a one-time password',
          'The third wrong code rejects the authentication, and so does the tenth on the card within an hour. After the end the stored result is returned.',
          EXAMPLE_DONE,
          {
            ...badRequest([400, 'otp: must be 6 digits']),
            ...refusal(409, 'The challenge has no code', 'otp: the challenge is out of band; it has no code'),
          },
        ),
        body: AttemptBody,
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const otp = secretField(request, 'otp') as Secret;
      return onAuthentication(services, actor, request.params.authentication_id, (found) =>
        attemptOtp(services, actor, found, otp),
      );
    },
  );

  app.post(
    `${PATH}resend/`,
    {
      schema: operation(
        'resendOtp',
        'Send another one-time password',
        'The new code replaces the previous one. At most 3 codes are sent, the first included; a failed send counts.',
        { ...EXAMPLE_CHALLENGE, sends_left: 1 },
        {
          ...refusal(409, 'No code can be sent', 'authentication_id: all 3 codes were sent'),
          ...TOO_MANY,
          ...NOT_SENT,
        },
      ),
    },
    async (request) => {
      const actor = actorOf(request);
      return onAuthentication(services, actor, request.params.authentication_id, (found) =>
        resendOtp(services, actor, found),
      );
    },
  );

  app.post(
    `${PATH}cancel/`,
    {
      schema: operation(
        'cancelAuthentication',
        'Cancel a challenge',
        'Rejects an open challenge. After the end the stored result is returned.',
        EXAMPLE_CANCELLED,
      ),
    },
    async (request) => {
      const actor = actorOf(request);
      return onAuthentication(services, actor, request.params.authentication_id, (found) =>
        cancelAuthentication(services, actor, found),
      );
    },
  );
}

function tokenizationRoute(app: App, services: AuthenticationServices): void {
  app.post(
    '/tokenizations/:tokenizationId/otp/',
    {
      config: { numbersIn: ['card_number'] } satisfies NumberFields,
      schema: {
        operationId: 'tokenizationOtp',
        summary: "Send or check a wallet's one-time password",
        description:
          'With `card_number`: sends a code; the same request again sends another, 3 in all. With `otp`: checks it. The limits are those of 3-D Secure.',
        params: TokenizationPath,
        body: TokenizationBody,
        response: {
          200: success(TokenizationView, 'The state of the code', EXAMPLE_TOKENIZATION),
          ...badRequest([400, 'otp: send either card_number, to send a code, or otp, to check it']),
          ...conflict('tokenizationId'),
          ...TOO_MANY,
          ...NOT_SENT,
        },
      },
    },
    async (request) =>
      submitTokenization(services, actorOf(request), request.params.tokenizationId, request.body, {
        number: secretField(request, 'card_number'),
        otp: secretField(request, 'otp'),
      }),
  );
}
