import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';

type Json = Record<string, unknown>;
type Titled = Json & { title: string };

/** Where a schema that writes answers fast says less than is true, this one stands in the document instead. */
const SHOWN = 'x-document';
export const shownAs = (schema: TSchema) => ({ [SHOWN]: schema });

/** What they hold is data, not a schema. */
const DATA = new Set(['example', 'examples', 'const', 'enum', 'default']);

/**
 * Every schema with a title goes into `components.schemas`, once, and a reference stands in its place. Validation and
 * answers keep their schemas whole: it is the finished document that is taken apart.
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
    // The keys of a list of properties are names, also where they sound like keywords.
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

/** An answer's words stand beside its schema already. */
function withBareReference(value: Json): Json {
  const { schema } = value;
  return isObject(schema) && '$ref' in schema ? { ...value, schema: { $ref: schema['$ref'] } } : value;
}

/** A list of allowed texts is a text, for readers that look at the type first. */
function typed(value: Json): Json {
  const { enum: allowed, type } = value;
  const isText = Array.isArray(allowed) && allowed.every((each) => typeof each === 'string');
  return isText && type === undefined ? { type: 'string', ...value } : value;
}

/** Where a field chooses among shapes, the document says which value means which: their names do not tell. */
function withMapping(value: Json, schemas: Json): Json {
  const { discriminator, oneOf } = value as { discriminator?: { propertyName: string }; oneOf?: Json[] };
  if (!discriminator || !oneOf) return value;
  const mapping = oneOf.map(({ $ref }) => {
    const shape = schemas[String($ref).split('/').at(-1) as string] as { properties: Record<string, Json> };
    return [shape.properties[discriminator.propertyName]?.['const'], $ref];
  });
  return { ...value, discriminator: { ...discriminator, mapping: Object.fromEntries(mapping) } };
}
