import type { FastifyRequest } from 'fastify';
import { holdsNumberOf } from '../kernel/card-numbers.ts';
import { invalid } from '../kernel/error.ts';
import { pathTo } from '../kernel/text.ts';
import { declaredOnly } from './body.ts';
import { routeOf } from './route-of.ts';
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
  app.addHook('preHandler', (request, _reply, done) => {
    // Few bodies hold one anywhere: only those are read field by field.
    if (routeOf(request).schema?.body && pathIn(binOf(request), '', request.body) !== undefined)
      return done(refusalOf(binOf(request), request));
    done();
  });
}

function refusalOf(
  bin: string,
  { body, routeOptions: { schema, config } }: FastifyRequest,
): Error | undefined {
  const { numbersIn = [] } = config as NumberFields;
  const declared = Object.entries(declaredOnly(schema?.body, body ?? {}));
  const path = declared
    .filter(([name]) => !numbersIn.includes(name))
    .map(([name, value]) => pathIn(bin, name, value))
    .find((found) => found !== undefined);
  return path === undefined ? undefined : invalid(path, 'must not contain a card number');
}

/** Throws a 400 that names the first field with a card number of the program. */
export function refuseNumbersIn(bin: string, value: unknown): void {
  const path = pathIn(bin, '', value);
  if (path !== undefined) throw invalid(path, 'must not contain a card number');
}

/** The path of the first text that holds a number, or of the object with a key that does. */
function pathIn(bin: string, path: string, value: unknown): string | undefined {
  if (typeof value === 'string') return holdsNumberOf(bin, value) ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const name of Object.keys(value)) {
    if (holdsNumberOf(bin, name)) return path;
    const at = pathTo(path, name, Array.isArray(value));
    const found = pathIn(bin, at, (value as Record<string, unknown>)[name]);
    if (found !== undefined) return found;
  }
  return undefined;
}
