import { secretField } from '../../http/body.ts';
import { requireSameSite } from '../../http/same-site.ts';
import { badRequest, refusal, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { AnyQuery } from '../../http/validation.ts';
import { notFound } from '../../kernel/error.ts';
import { reveal, type Secret } from '../../kernel/secret.ts';
import { requestIdentity } from '../../programs/actor.ts';
import { requireOwnPage } from '../authenticate-session.ts';
import { requireChangedPassword } from '../operator.ts';
import { type SessionRouteServices, setSession } from '../present-session.ts';
import { identityOf, secretsOf } from '../routes.ts';
import { confirmOperator } from '../sign-in.ts';
import { CONFIRMED_FOR_SECONDS } from './confirmation.ts';
import { finishFlow } from './finish-flow.ts';
import type { Finished } from './finished.ts';
import { FLOW_LIFE_SECONDS, type Flow, openFlow, type Purpose, sealFlow } from './flow-cookie.ts';
import type { OpenIdProvider } from './provider.ts';
import { refused } from './refusal.ts';
import { ConnectBody, EXAMPLE_REDIRECT, OpenIdBody, OpenIdRedirect, SignInMethods } from './schema.ts';

const CALLBACK = '/session/openid/callback/';

export interface OpenIdRouteServices extends SessionRouteServices {
  /** Undefined: the provider is not configured. */
  provider: OpenIdProvider | undefined;
  publicUrl: string;
}

interface Reply {
  header(name: string, value: string | string[]): Reply;
}

/** Sign-in at an OpenID provider: authorization code with PKCE. */
export function openIdRoutes(app: App, services: OpenIdRouteServices): void {
  const { db, keeper, cookies, authenticateSession, publicUrl } = services;
  const callbackUrl = `${publicUrl}/console/api${CALLBACK}`;
  const sessionOf = (request: Parameters<typeof cookies.session.read>[0]) =>
    authenticateSession(cookies.session.read(request));
  const requireProvider = (): OpenIdProvider => {
    if (!services.provider) throw notFound();
    return services.provider;
  };
  const begin = async (reply: Reply, purpose: Purpose) => {
    const isAgain = purpose.kind === 'confirm';
    const { url, checks } = await requireProvider().begin(callbackUrl, isAgain);
    const flow = await sealFlow(db, keeper, { checks, purpose, startedAtMs: Date.now() });
    reply.header('set-cookie', cookies.flow.write(flow, FLOW_LIFE_SECONDS));
    return { url };
  };
  const answers = {
    200: success(OpenIdRedirect, 'Open this page in the same browser', EXAMPLE_REDIRECT),
    ...badRequest([400, 'next: must begin with a slash']),
    ...refusal(404, 'OpenID is not configured', 'Record not found'),
    ...refusal(503, 'The provider does not respond', 'The sign-in provider is unavailable; retry'),
  };

  app.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));

  app.get(
    '/session/methods/',
    {
      schema: {
        operationId: 'getSignInMethods',
        summary: 'Get the ways to sign in',
        security: [],
        response: { 200: success(SignInMethods, 'The ways to sign in', { openid: 'Example' }) },
      },
    },
    async () => ({ openid: services.provider?.name ?? null }),
  );

  app.post(
    '/session/openid/',
    {
      schema: {
        operationId: 'beginOpenIdSignIn',
        summary: 'Start to sign in at the OpenID provider',
        description: 'Sets a cookie that binds the answer of the provider to this browser.',
        security: [],
        body: OpenIdBody,
        response: answers,
      },
    },
    async (request, reply) => {
      requireSameSite(request.headers);
      const invitation = secretField(request, 'invitation');
      if (invitation) return begin(reply, { kind: 'accept', invitation: reveal(invitation) });
      return begin(reply, { kind: 'sign in', next: request.body.next });
    },
  );

  const onRequest = async (request: Parameters<typeof cookies.session.read>[0]) =>
    requireOwnPage(await sessionOf(request), request.headers);

  app.post(
    '/session/openid/confirm/',
    {
      onRequest,
      schema: {
        operationId: 'beginOpenIdConfirmation',
        summary: 'Start to confirm an action at the OpenID provider',
        description: `For people without a password: they sign in again at the provider. For ${CONFIRMED_FOR_SECONDS / 60} minutes this session may then do what needs a password.`,
        response: answers,
      },
    },
    async (request, reply) => {
      const { operator, tokenHash } = await sessionOf(request);
      if (operator.openidSubject === null) throw notFound();
      return begin(reply, { kind: 'confirm', operatorId: operator.id, session: tokenHash.toString('hex') });
    },
  );

  app.post(
    '/session/openid/connect/',
    {
      onRequest,
      schema: {
        operationId: 'beginOpenIdConnection',
        summary: 'Start to link your account to a person of the OpenID provider',
        description: 'Ends all other sessions of the operator once the provider has answered.',
        body: ConnectBody,
        response: {
          ...answers,
          ...refusal(
            429,
            'The account is locked',
            'Too many wrong passwords or codes; try again in 30 minutes',
          ),
        },
      },
    },
    async (request, reply) => {
      requireProvider();
      const { operator, tokenHash } = await sessionOf(request);
      requireChangedPassword(operator);
      const { password, code } = secretsOf(request);
      await confirmOperator(services, identityOf(operator, request), operator, {
        password: password as Secret,
        code,
      });
      return begin(reply, { kind: 'connect', operatorId: operator.id, session: tokenHash.toString('hex') });
    },
  );

  app.get(CALLBACK, { schema: { hide: true, querystring: AnyQuery } as never }, async (request, reply) => {
    const provider = requireProvider();
    const flow = await openFlow(db, keeper, cookies.flow.read(request));
    const answer = new URL(callbackUrl);
    answer.search = request.url.slice(Math.max(request.url.indexOf('?'), 0)).replace(/^[^?].*/, '');
    const finished = flow
      ? await finishFlow(
          { ...services, provider },
          requestIdentity('system:sign-in', request),
          flow,
          answer,
          {
            device: cookies.device.read(request),
            userAgent: request.headers['user-agent'],
          },
        )
      : refused('expired');
    if (finished.kind === 'signed in') setSession(services, reply, finished.opened);
    if (finished.kind === 'confirmed')
      reply.header('set-cookie', cookies.confirmation.write(finished.cookie, CONFIRMED_FOR_SECONDS));
    reply.header('set-cookie', cookies.flow.write('', 0));
    return reply.redirect(`${publicUrl}/console${pageAfter(flow, finished)}`);
  });
}

/** A path of the console, whatever a link asked for. */
function pageAfter(flow: Flow | undefined, finished: Finished): string {
  const { kind, ...purpose } = flow?.purpose ?? { kind: 'sign in' as const };
  const page = { 'sign in': '/sign-in', accept: '/sign-in', connect: '/account', confirm: '/confirmed' }[
    kind
  ];
  if (finished.kind === 'refused') return `${page}?refused=${encodeURIComponent(finished.reason)}`;
  if (finished.kind !== 'signed in') return page;
  const { next } = purpose as { next?: string };
  return next !== undefined && /^\/(?![/\\])[!-~]*$/.test(next) ? next : '/';
}
