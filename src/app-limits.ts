import { clientAddress } from './http/client-address.ts';
import type { Limit } from './http/limits.ts';
import { documentLimits } from './http/openapi.ts';
import type { App } from './http/server.ts';
import { createTurns } from './http/turns.ts';
import { EmbossError } from './kernel/error.ts';
import { actorOf } from './programs/actor.ts';

/** Sets the configuration of every route of a scope. Call it before they are added. */
export function configureRoutes(app: App, config: { isKeyed: true; keepsInvisible?: true }): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, ...config } as typeof route.config & object;
  });
}

/** Lists cost much more than anything else that a key may read; at the console almost everything is a list. */
const isList = ({ schema }: { schema?: { querystring?: unknown } }): boolean =>
  'page' in ((schema?.querystring as { properties?: object } | undefined)?.properties ?? {});

/** In the `config` of a route that locks something of its program: more at once would only wait in the database. */
interface TurnConfig {
  inTurn?: true;
}

/**
 * Gives back what makes lists, or all reads, of a scope wait for their turn. Call it after the hook that finds out the
 * program.
 */
export function turnsOf(app: App, atOnce: number): (scope: App, what: 'lists' | 'reads') => void {
  const takeTurn = createTurns(atOnce);
  app.decorateRequest('endTurn', null);
  // The handler is done by then, also where its client has gone.
  app.addHook('onSend', async (request) => request.getDecorator<(() => void) | null>('endTurn')?.());
  return (scope, what) =>
    scope.addHook('onRequest', async (request) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') return;
      const { inTurn } = request.routeOptions.config as TurnConfig;
      if (what === 'lists' && !inTurn && !isList(request.routeOptions)) return;
      request.setDecorator('endTurn', await takeTurn(actorOf(request).program.id));
      if (request.raw.socket.destroyed) throw new EmbossError(400, 'The connection was closed');
    });
}

/** Bounds what one address may request without a key or a session, unknown paths included, before a body is read. */
export function limitAnonymous(app: App, requests: Limit): void {
  documentLimits(app, ({ security }) => security?.length === 0);
  app.addHook('onRequest', async (request) => {
    const { isKeyed, isProbe } = request.routeOptions.config as { isKeyed?: true; isProbe?: true };
    // Apart, so that nothing else from the same address can make a probe fail.
    if (!isKeyed) requests.take(`${isProbe ? 'probe ' : ''}${clientAddress(request.ip)}`);
  });
}

/** Counts a request whose key or session turned out to be missing or wrong as one without; beyond the limit a 429. */
export async function countRefused<Found>(
  requests: Limit,
  ip: string,
  authentication: Promise<Found>,
): Promise<Found> {
  try {
    return await authentication;
  } catch (error) {
    if (error instanceof EmbossError && error.httpStatus === 401) requests.take(clientAddress(ip));
    throw error;
  }
}
