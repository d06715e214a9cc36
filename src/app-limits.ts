import { clientAddress } from './http/client-address.ts';
import type { Limit } from './http/limits.ts';
import { documentLimits } from './http/openapi.ts';
import type { App } from './http/server.ts';
import { createTurns } from './http/turns.ts';
import { EmbossError } from './kernel/error.ts';
import type { Caller } from './programs/program.ts';

/** Sets the configuration of every route of a scope. Call it before they are added. */
export function configureRoutes(app: App, config: { isKeyed: true; keepsInvisible?: true }): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, ...config } as typeof route.config & object;
  });
}

/** Gives back what makes the reads of a scope, whose program is known by then, wait for their turn. */
export function turnsOf(app: App, atOnce: number): (scope: App) => void {
  const takeTurn = createTurns(atOnce);
  app.decorateRequest('endTurn', null);
  // The handler is done by then, also where its client has gone.
  app.addHook('onSend', async (request) => request.getDecorator<(() => void) | null>('endTurn')?.());
  return (scope) =>
    scope.addHook('onRequest', async (request) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') return;
      request.setDecorator('endTurn', await takeTurn(request.getDecorator<Caller>('caller').program.id));
      if (request.raw.socket.destroyed) throw new EmbossError(400, 'The connection was closed');
    });
}

/** Bounds what one address may request without a key or a session, unknown paths included, before a body is read. */
export function limitAnonymous(app: App, requests: Limit): void {
  documentLimits(app, ({ security }) => security?.length === 0);
  app.addHook('onRequest', async (request) => {
    const { isKeyed } = request.routeOptions.config as { isKeyed?: true };
    if (!isKeyed) requests.take(clientAddress(request.ip));
  });
}
