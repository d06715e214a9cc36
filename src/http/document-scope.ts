import type { RouteOptions } from 'fastify';
import { errorResponses, IdempotencyHeaders, refusal } from './schemas.ts';
import type { App } from './server.ts';

/** Adds to the schemas of a scope's routes what they have in common. Call it before the routes are added. */
export function describeRoutes(app: App, common: object): void {
  app.addHook('onRoute', (route) => {
    route.schema = { ...common, ...route.schema } as typeof route.schema & object;
  });
}

/**
 * Documents the errors that follow from where a route is and what it takes; the route declares only its own. `errorsOf`:
 * those of every route in the scope. A route whose unknown id is another error says `404: undefined`.
 */
export function documentErrors(app: App, errorsOf: (route: RouteOptions) => readonly number[]): void {
  app.addHook('onRoute', (route) => {
    const { body, headers, response } = (route.schema ?? {}) as Described;
    if (!response) return;
    const errors = [400, ...errorsOf(route), 500, 503];
    if (route.url.includes('/:')) errors.push(404);
    if (body) errors.push(413);
    if (headers === IdempotencyHeaders) errors.push(409);
    respond(route, { ...LIMITED, ...errorResponses(...errors), ...response });
  });
}

/** Documents the 429 of the routes without a key. */
export function documentPublicLimit(app: App): void {
  app.addHook('onRoute', (route) => {
    const { security, response } = (route.schema ?? {}) as Described;
    if (response && security?.length === 0) respond(route, { ...LIMITED, ...response });
  });
}

interface Described {
  body?: unknown;
  headers?: unknown;
  response?: object;
  security?: readonly unknown[];
}

const LIMITED = refusal(
  429,
  'Too many requests or wrong keys; retry after the number of seconds in `retry-after`',
  'Too many requests with this key; retry in 42 s',
);

function respond(route: RouteOptions, response: object): void {
  const declared = Object.entries(response).filter(([, schema]) => schema !== undefined);
  route.schema = { ...route.schema, response: Object.fromEntries(declared) };
}
