import { clientAddress } from './http/client-address.ts';
import { documentPublicLimit } from './http/document-scope.ts';
import type { Limit } from './http/limits.ts';
import { routeOf } from './http/route-of.ts';
import type { Admit, App } from './http/server.ts';
import { createTurns } from './http/turns.ts';
import { EmbossError } from './kernel/error.ts';
import { actorOf } from './programs/actor.ts';

/** Sets the configuration of every route in a scope. Call it before the routes are added. */
export function configureRoutes(app: App, config: { isKeyed: true; keepsInvisible?: true }): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, ...config } as typeof route.config & object;
  });
}

/** Lists cost much more than other reads; in the console almost every read is a list. */
const isList = ({ schema }: { schema?: { querystring?: unknown } }): boolean =>
  'page' in ((schema?.querystring as { properties?: object } | undefined)?.properties ?? {});

/**
 * In the `config` of a read that costs as much as a list, or locks a row of its program: concurrent requests would only
 * wait in the database.
 */
interface TurnConfig {
  inTurn?: true;
}

/**
 * Returns a hook that makes lists, or all reads, of a scope wait for their turn. Add it after the hook that identifies
 * the program.
 */
export function turnsOf(app: App, atOnce: number): (scope: App, what: 'lists' | 'reads') => void {
  const takeTurn = createTurns(atOnce);
  app.decorateRequest('endTurn', null);
  return (scope, what) => {
    // The handler has finished by then, even if its client left.
    scope.addHook('onSend', async (request) => request.getDecorator<(() => void) | null>('endTurn')?.());
    scope.addHook('onRequest', async (request) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') return;
      const { inTurn } = routeOf(request).config as TurnConfig;
      if (what === 'lists' && !inTurn && !isList(routeOf(request))) return;
      request.setDecorator('endTurn', await takeTurn(actorOf(request).program.id));
      if (request.raw.socket.destroyed) throw new EmbossError(400, 'The connection was closed');
    });
  };
}

/** Names who sends a request without a key, if a query is not needed to know it. */
type KnownCaller = (request: Parameters<Admit>[0]) => string | undefined;

/** Counts a request without a key or session. */
export type CountAnonymous = (request: Parameters<Admit>[0]) => void;

/**
 * Counts for the caller that one of `callers` names, so that others behind the same address cannot use up its requests,
 * else for the address.
 */
export const countAnonymous =
  (requests: Limit, callers: readonly KnownCaller[] = []): CountAnonymous =>
  (request) => {
    const { countedAs } = (routeOf(request).config ?? {}) as { countedAs?: 'probe' | 'scrape' };
    // Counted apart, so that other requests from the same address cannot make a probe fail.
    const ofAddress = () => `${countedAs ?? ''} ${clientAddress(request.ip)}`;
    requests.take(callers.map((name) => name(request)).find((name) => name !== undefined) ?? ofAddress());
  };

/** Counts requests that need no key or session, including unknown paths, before a body is read. */
export const admitAnonymous =
  (count: CountAnonymous): Admit =>
  (request) => {
    const { isKeyed } = (routeOf(request).config ?? {}) as { isKeyed?: true };
    if (!isKeyed) count(request);
  };

/** Refuses requests without a key beyond their limit. */
export function limitAnonymous(app: App, admit: Admit): void {
  documentPublicLimit(app);
  app.addHook('onRequest', (request, _reply, done) => {
    admit(request);
    done();
  });
}

/** Counts a request with a missing or wrong key or session as anonymous; throws a 429 beyond the limit. */
export async function countRefused<Found>(
  count: CountAnonymous,
  request: Parameters<CountAnonymous>[0],
  authentication: Promise<Found>,
): Promise<Found> {
  try {
    return await authentication;
  } catch (error) {
    if (error instanceof EmbossError && error.httpStatus === 401) count(request);
    throw error;
  }
}
