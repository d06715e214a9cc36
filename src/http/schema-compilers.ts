import buildAjvCompiler from '@fastify/ajv-compiler';
import buildSerializerCompiler from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';
import type { EmbossError } from '../kernel/error.ts';
import { ajvOptions, describeViolation } from './validation.ts';

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;

type Route = { schema?: unknown };
type Validate = { (data: unknown): boolean; errors?: unknown };
type Serialize = (data: unknown) => string;

/**
 * Compiles a schema when it is first needed, which makes the start faster, and only once: many routes share one (every error
 * response, the console's copies of the merchant's routes).
 */
function lazily<Made>(compile: (route: Route) => Made) {
  const made = new Map<string, Made>();
  const make = (route: Route): Made => {
    const text = JSON.stringify(route.schema);
    const compiled = made.get(text) ?? compile(route);
    made.set(text, compiled);
    return compiled;
  };
  return (route: Route): (() => Made) => {
    let compiled: Made | undefined;
    return () => (compiled ??= make(route));
  };
}

const validatorOf = lazily(
  buildAjvCompiler()({}, ajvOptions as never) as unknown as (route: Route) => Validate,
);
/** What a route with this body would answer to a value; undefined if it is valid. For many values of one schema. */
export function checkOf(schema: unknown): (value: unknown) => EmbossError | undefined {
  const validator = validatorOf({ schema });
  return (value) => {
    const validate = validator();
    return validate(value) ? undefined : describeViolation(validate.errors as never, 'body');
  };
}

/** The same for one value. */
export const violationOf = (schema: unknown, value: unknown): EmbossError | undefined =>
  checkOf(schema)(value);

const compileSerializer = buildSerializerCompiler()({}) as unknown as (route: Route) => Serialize;
const serializerOf = lazily((route) => compileSerializer({ ...route, schema: withNullable(route.schema) }));

/** "A type or null" as the serializer understands it best: it would validate each value to choose a branch of `anyOf`. */
function withNullable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNullable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { anyOf, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([name, part]) => [name, withNullable(part)]),
  ) as { anyOf?: Array<{ type?: unknown }> };
  const [type, none, ...more] = anyOf ?? [];
  if (typeof type?.type === 'string' && none?.type === 'null' && more.length === 0)
    return { ...rest, ...type, nullable: true };
  return anyOf === undefined ? rest : { ...rest, anyOf };
}

/** Fastify's own compilers, for all servers of the process. */
export const compilers = {
  buildValidator: () => (route: Route) => {
    const validator = validatorOf(route);
    return (data: unknown) => {
      const validate = validator();
      return validate(data) || { error: validate.errors };
    };
  },
  buildSerializer: () => (route: Route) => {
    const serializer = serializerOf(route);
    return (data: unknown) => serializer()(data);
  },
} as unknown as Compilers;
