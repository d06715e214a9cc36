import type { FastifyInstance, FastifySchemaValidationError } from 'fastify';
import { Type } from 'typebox';
import { isDay } from '../kernel/calendar.ts';
import { isCountryAlpha2, isCountryAlpha3 } from '../kernel/countries.ts';
import { isCurrency } from '../kernel/currencies.ts';
import { EmbossError, invalid } from '../kernel/error.ts';
import { nearestName } from '../kernel/nearest.ts';
import { pathTo } from '../kernel/text.ts';
import { addTo, OPTIONAL_BODY } from './body.ts';
import { SHOWN } from './openapi-components.ts';

/**
 * Strict: a validator that coerces would read `{"freeze": null}` as false and unfreeze a card. Nothing is converted, added
 * or removed.
 */
export const ajvOptions = {
  customOptions: {
    coerceTypes: false,
    useDefaults: false,
    removeAdditional: false,
    allErrors: false,
    verbose: true,
    discriminator: true,
    strictTypes: false,
  } as const,
  onCreate: (ajv: {
    addFormat(name: string, check: (text: string) => boolean): unknown;
    addVocabulary(words: string[]): unknown;
  }) => {
    ajv.addVocabulary(['x-rule', 'example', OPTIONAL_BODY, SHOWN]);
    ajv.addFormat('date', isDay);
    ajv.addFormat('country-alpha-2', isCountryAlpha2);
    ajv.addFormat('country-alpha-3', isCountryAlpha3);
    ajv.addFormat('country', (code) => isCountryAlpha2(code) || isCountryAlpha3(code));
    ajv.addFormat('currency', isCurrency);
  },
};

const FORMAT_RULES: Record<string, string> = {
  date: 'must be a valid date, as YYYY-MM-DD',
  'country-alpha-2': 'must be an ISO 3166-1 alpha-2 country code in upper case',
  'country-alpha-3': 'must be an ISO 3166-1 alpha-3 country code in upper case',
  country: 'must be an ISO 3166-1 country code in upper case',
  currency: 'must be an ISO 4217 currency code',
};

type AjvError = FastifySchemaValidationError & { parentSchema?: Record<string, unknown>; data?: unknown };

/** The first broken rule as a sentence that names the field by its path. Values are never repeated. */
export function describeViolation(errors: FastifySchemaValidationError[], part: string): EmbossError {
  const error = firstViolation(errors);
  const missing = error.params['missingProperty'] ?? error.params['tag'];
  const segments = error.instancePath.split('/').slice(1).map(unescapePointer);
  if (typeof missing === 'string') segments.push(missing);
  const path = pathOf(segments, error.schemaPath.split('/items/').length - 1);
  const rule = ruleOf(error);
  // The validator keeps its last errors, which include request data, until the next ones.
  errors.splice(0);
  return new EmbossError(400, `${path || part}: ${rule}`);
}

/** The first numbers are positions in lists: as many as the schema has lists on the way. */
const pathOf = (segments: string[], lists: number): string => {
  let left = lists;
  return segments.reduce((path, key) => pathTo(path, key, /^\d+$/.test(key) && left-- > 0), '');
};

/** A union's own rule, or all its allowed types: "a string or null", not only the first. */
function firstViolation(errors: FastifySchemaValidationError[]): AjvError {
  const first = errors[0] as AjvError;
  const ruled = (errors as AjvError[]).find(
    ({ keyword, parentSchema, instancePath }) =>
      keyword === 'anyOf' && parentSchema?.['x-rule'] && first.instancePath.startsWith(instancePath),
  );
  if (ruled) return ruled;
  const choices = errors.at(-1)?.keyword === 'anyOf' ? errors.slice(0, -1) : [];
  const isChoice = (error: FastifySchemaValidationError) =>
    error.keyword === 'type' && error.instancePath === first.instancePath;
  if (choices.length === 0 || !choices.every(isChoice)) return first;
  return { ...first, params: { type: choices.map(({ params }) => params['type']) } };
}

function ruleOf({ keyword, params, parentSchema, message, data, instancePath }: AjvError): string {
  const own = parentSchema?.['x-rule'];
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'discriminator':
      return typeof own === 'string' ? own : 'is not one of the allowed values';
    case 'type':
      // A missing body is validated as null.
      return instancePath === '' && data === null ? 'is required' : `must be ${typeNames(params['type'])}`;
    case 'maxLength':
      return `must be at most ${params['limit']} characters`;
    case 'minLength':
      return params['limit'] === 1 ? 'must not be empty' : `must be at least ${params['limit']} characters`;
    case 'minItems':
      return params['limit'] === 1 ? 'must not be empty' : `must have at least ${params['limit']} items`;
    case 'maxItems':
      return `must have at most ${params['limit']} items`;
    case 'minimum':
      return `must be at least ${params['limit']}`;
    case 'maximum':
      return `must be at most ${params['limit']}`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`;
    case 'const':
      return `must be ${params['allowedValue']}`;
    case 'format':
      return FORMAT_RULES[params['format'] as string] ?? `must have the format ${params['format']}`;
    default:
      return typeof own === 'string' ? own : (message ?? 'is not valid');
  }
}

const ARTICLES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'a boolean',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

const typeNames = (type: unknown): string =>
  [type]
    .flat()
    .map((name) => ARTICLES[name as string] ?? String(name))
    .join(' or ');

const unescapePointer = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

const WHOLE_NUMBER = /^\d{1,15}$/;

/** For a route whose query something else reads: the browser, or the check of a signed link. */
export const AnyQuery = Type.Object({}, { additionalProperties: true });

type QuerySchema = { properties?: Record<string, { type?: string }>; additionalProperties?: boolean };

/**
 * A route's query has the names of its schema, each once: a misspelt filter must not look as if it had worked. A route
 * without a schema takes none. Query values are text. Values of integer fields become numbers; text that does not parse
 * stays text and fails validation.
 */
export function readQueries(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { properties = {}, additionalProperties } = (route.schema?.querystring ?? {}) as QuerySchema;
    if (additionalProperties) return;
    const types = new Map(Object.entries(properties).map(([name, { type }]) => [name, type]));
    addTo(route, 'preValidation', (request, _reply, done) => {
      const query = request.query as Record<string, unknown>;
      for (const [name, value] of Object.entries(query)) {
        const [, list = '', key = ''] = PAIR.exec(name) ?? [];
        const isPair = types.get(list) === 'object';
        if (!isPair && !types.has(name)) return done(unknownQueryName(name, [...types.keys()]));
        if (types.get(name) === 'object') return done(invalid(name, `must be given as ${name}[key]=value`));
        if (typeof value !== 'string') return done(invalid(isPair ? list : name, 'must be given once'));
        if (isPair && query[list]) return done(invalid(list, 'must be one pair'));
        if (isPair) {
          delete query[name];
          query[list] = { [key]: value };
        }
        if (types.get(name) === 'integer' && WHOLE_NUMBER.test(value)) query[name] = Number(value);
      }
      done();
    });
  });
}

/** `metadata[order_id]`. */
const PAIR = /^(\w+)\[([^\]]*)\]$/;

/** A name that is neither a number nor a key: a message repeats none of those. */
const CAN_BE_NAMED = /^(?!.*\d{3})[\w.[\]-]{1,30}$/;

function unknownQueryName(name: string, known: string[]): EmbossError {
  const field = CAN_BE_NAMED.test(name) ? name : 'query';
  if (known.length === 0) return invalid(field, 'must not be given: this endpoint has no query parameters');
  const nearest = nearestName(name, known);
  const advice = nearest === undefined ? `use ${known.join(', ')}` : `did you mean ${nearest}?`;
  return invalid(field, `is not a query parameter of this endpoint; ${advice}`);
}
