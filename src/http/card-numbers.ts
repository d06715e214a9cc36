import type { FastifyRequest } from 'fastify';
import { holdsNumberOf } from '../kernel/card-numbers.ts';
import { invalid } from '../kernel/error.ts';
import { declaredOnly } from './body.ts';
import type { App } from './server.ts';

/** In the `config` of a route. */
export interface NumberFields {
  /** Fields of the body that accept a card number, or are masked before they are stored. */
  numbersIn?: readonly string[];
}

/**
 * No text of a body may contain a card number of the program, because ids and names are stored and shown. This hook checks
 * every declared field of every route registered after it; undeclared fields are never stored.
 */
export function refuseCardNumbers(app: App, binOf: (request: FastifyRequest) => string): void {
  app.addHook('preHandler', async (request) => {
    const { schema, config } = request.routeOptions;
    if (!schema?.body) return;
    const { numbersIn = [] } = config as NumberFields;
    const bin = binOf(request);
    for (const [name, value] of Object.entries(declaredOnly(schema.body, request.body ?? {})))
      if (!numbersIn.includes(name)) refuseIn(bin, name, value);
  });
}

function refuseIn(bin: string, path: string, value: unknown): void {
  if (typeof value === 'string') {
    if (holdsNumberOf(bin, value)) throw invalid(path, 'must not contain a card number');
  } else if (typeof value === 'object' && value !== null)
    for (const [name, child] of Object.entries(value)) refuseIn(bin, `${path}.${name}`, child);
}
