import buildAjvCompiler from '@fastify/ajv-compiler';
import buildSerializerCompiler from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';
import { ajvOptions } from './validation.ts';

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;

/** Many routes share a schema (every error response, the console's copies of the merchant's routes): each is compiled once. */
function once<Route extends { schema?: unknown }, Made>(compile: (route: Route) => Made) {
  const made = new Map<string, Made>();
  return (route: Route): Made => {
    const text = JSON.stringify(route.schema);
    const known = made.get(text) ?? compile(route);
    made.set(text, known);
    return known;
  };
}

const validatorOf = once(buildAjvCompiler()({}, ajvOptions as never) as never);
const serializerOf = once(buildSerializerCompiler()({}));

/** Fastify's own compilers, for all servers of the process. */
export const compilers = {
  buildValidator: () => validatorOf,
  buildSerializer: () => serializerOf,
} as unknown as Compilers;
