import type { Schema } from './openapi-document.ts';

/** Keywords of a schema that do not affect its type. */
const RULES = [
  ...['title', 'description', 'examples', 'format', 'pattern', 'x-rule', 'discriminator', 'default'],
  ...[
    'minLength',
    'maxLength',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'minItems',
    'maxItems',
    'uniqueItems',
    'maxProperties',
    'propertyNames',
    'writeOnly',
  ],
];
const SHAPE = [
  ...['$ref', 'type', 'const', 'enum', 'anyOf', 'oneOf', 'items', 'properties', 'required'],
  'additionalProperties',
];

/** Converts a schema to a TypeScript type. It refuses unsupported schemas: a wrong type is worse than none. */
export function typeOf(schema: Schema, indent = ''): string {
  const unknown = Object.keys(schema).filter((word) => !RULES.includes(word) && !SHAPE.includes(word));
  if (unknown.length > 0) throw new Error(`tools/types.ts does not know ${unknown.join(', ')}`);
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return unionOf(choices.map((choice) => typeOf(choice, indent)));
  switch (schema.type) {
    case 'integer':
      return 'number';
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return `Array<${typeOf(schema.items ?? {}, indent)}>`;
    case 'object':
      return objectType(schema, indent);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`tools/types.ts does not know the type ${schema.type}`);
  }
}

export const nameOf = (reference: string): string => reference.split('/').at(-1) as string;

/** Fields with their descriptions, as the body of an interface. */
export function objectType(
  { properties, required = [], additionalProperties: others }: Schema,
  indent: string,
): string {
  if (!properties || Object.keys(properties).length === 0)
    return `Record<string, ${typeof others === 'object' ? typeOf(others, indent) : 'unknown'}>`;
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, field]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : literal(name);
    const type = typeOf(field, inner);
    const member = required.includes(name) ? `${key}: ${type}` : `${key}?: ${type} | undefined`;
    return `${comment(descriptionOf(field), inner)}${inner}${member};`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

/** A field that may be null has its description in the other alternative. */
const descriptionOf = ({ description, anyOf }: Schema): string | undefined =>
  description ?? anyOf?.find((choice) => choice.description)?.description;

export const comment = (text: string | undefined, indent = ''): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`;

export function namedType(name: string, schema: Schema): string {
  const { oneOf, type, properties } = schema;
  const isPlain = type === 'object' && !oneOf && properties;
  return isPlain
    ? `export interface ${name} ${objectType(schema, '')}`
    : `export type ${name} = ${typeOf(schema)};`;
}

/** Names of the schemas that a part of the document references. */
export const referencesIn = (part: unknown): string[] =>
  [
    ...new Set([...JSON.stringify(part).matchAll(/"\$ref":"([^"]+)"/g)].map(([, at = '']) => nameOf(at))),
  ].sort();

const unionOf = (types: string[]): string => [...new Set(types)].join(' | ');
const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value);
