import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';

type Json = Record<string, unknown>;
type Titled = Json & { title: string };

/** Replaces a schema in the document, where the one for validation or fast serialisation is less precise. */
export const SHOWN = 'x-document';
export const shownAs = (schema: TSchema) => ({ [SHOWN]: schema });

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['example', 'examples', 'const', 'enum', 'default']);

/**
 * Moves every schema with a title into `components.schemas` and puts a reference in its place. Only the finished document
 * changes; validation and serialisation keep whole schemas.
 */
export function nameSchemas(document: Json): Json {
  const schemas: Json = {};
  const visitEntries = (value: Json, isData: (key: string) => boolean): Json =>
    Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, isData(key) ? part : visit(part, key)]),
    );
  const visit = (value: unknown, name = ''): unknown => {
    if (Array.isArray(value)) return value.map((part) => visit(part));
    if (!isObject(value)) return value;
    if (name !== 'properties' && isObject(value[SHOWN])) return visit(value[SHOWN]);
    // Keys under `properties` are names, even if they equal a keyword.
    if (name === 'properties') return visitEntries(value, () => false);
    const whole = withMapping(typed(visitEntries(value, (key) => DATA.has(key))), schemas);
    if (isTitled(whole)) return hoist(schemas, whole);
    return withBareReference(whole);
  };
  const { components, ...visited } = visit(document) as Json & { components: Json };
  const named = { ...(components['schemas'] as Json), ...schemas };
  const sorted = Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...visited, components: { ...components, schemas: sorted } };
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const isTitled = (value: Json): value is Titled =>
  typeof value['title'] === 'string' && ('type' in value || 'oneOf' in value);

function hoist(schemas: Json, { description, ...schema }: Titled): Json {
  const { title } = schema;
  if (schemas[title] && !isDeepStrictEqual(schemas[title], schema))
    throw new Error(`two different schemas have the title ${title}; one of them needs another`);
  schemas[title] = schema;
  return { $ref: `#/components/schemas/${title}`, ...(description !== undefined && { description }) };
}

/** The response already has the description. */
function withBareReference(value: Json): Json {
  const { schema } = value;
  return isObject(schema) && '$ref' in schema ? { ...value, schema: { $ref: schema['$ref'] } } : value;
}

/** Adds `type: string` to lists of allowed texts, for tools that read the type first. */
function typed(value: Json): Json {
  const { enum: allowed, type } = value;
  const isText = Array.isArray(allowed) && allowed.every((each) => typeof each === 'string');
  return isText && type === undefined ? { type: 'string', ...value } : value;
}

/** Adds a discriminator where one field selects the variant. */
function withMapping(value: Json, schemas: Json): Json {
  const { discriminator, oneOf } = value as { discriminator?: { propertyName: string }; oneOf?: Json[] };
  if (!discriminator || !oneOf) return value;
  const mapping = oneOf.map(({ $ref }) => {
    const shape = schemas[String($ref).split('/').at(-1) as string] as { properties: Record<string, Json> };
    return [shape.properties[discriminator.propertyName]?.['const'], $ref];
  });
  return { ...value, discriminator: { ...discriminator, mapping: Object.fromEntries(mapping) } };
}
