import type { FastifyInstance, RouteOptions } from 'fastify';
import { EmbossError, invalid } from '../kernel/error.ts';
import { type Secret, secret, wipe } from '../kernel/secret.ts';
import { findUncleanText } from '../kernel/text.ts';
import { type Routed, routeOf } from './route-of.ts';
import { MOST_VALUES, parseJson, scanJson } from './scan-json.ts';

/** What a body may have. */
export interface BodyBounds {
  bytes: number;
  /** Numbers, texts and other values; objects and arrays count by their contents. */
  values: number;
}

const USUAL_BOUNDS: BodyBounds = { bytes: 65_536, values: MOST_VALUES };

/**
 * How much more than its bound of a body the server reads before it refuses it. Closing a connection while its client
 * still sends loses the answer, so a body that is a little over the bound is read to its end and gets its 413.
 */
const READ_FURTHER_BYTES = 3 * USUAL_BOUNDS.bytes;
export const READ_LIMIT_BYTES = USUAL_BOUNDS.bytes + READ_FURTHER_BYTES;

export const boundsOf = (request: Routed): BodyBounds =>
  (routeOf(request).config as BodyConfig | undefined)?.bodyBounds ?? USUAL_BOUNDS;

export const tooLarge = (request: Routed): string => `body: must be at most ${boundsOf(request).bytes} bytes`;

/** In a body's schema: a request without a body means `{}`. */
export const OPTIONAL_BODY = 'x-optional-body';

/** A route's configuration of its body. */
export interface BodyConfig {
  /** For a route that takes a long list. */
  bodyBounds?: BodyBounds;
  /** Fields that never become strings: those that the schema calls `writeOnly`. */
  secretFields?: ReadonlySet<string>;
  /** The content types of a body that the route reads as a stream: see `streamed-body.ts`. */
  streamed?: readonly string[];
  /** Accepts text with invisible characters; the route removes them. */
  keepsInvisible?: boolean;
}

const SECRETS = Symbol('secrets');
type WithSecrets = { [SECRETS]?: { fields: Map<string, Secret>; parts: Buffer[] } };

/**
 * A field that the body's schema calls `writeOnly`: its bytes, while `request.body` holds a stand-in of the same length.
 * They are overwritten when the handler has returned.
 */
export const secretField = (request: object, name: string): Secret | undefined =>
  (request as WithSecrets)[SECRETS]?.fields.get(name);

/**
 * Bodies are JSON. A missing content type means JSON; any other type is refused with a hint, because
 * `curl -d` alone says "form". Prototype keys are ignored like any other unknown field.
 */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    const { bytes, values } = boundsOf(request);
    if (body.length > bytes) return done(new EmbossError(413, tooLarge(request)));
    const { secretFields, keepsInvisible } = routeOf(request).config as BodyConfig;
    const lifted = new Map<string, Buffer>();
    const held = (request as WithSecrets)[SECRETS];
    held?.parts.push(body);
    try {
      const scan = scanJson(body, secretFields, lifted, values);
      for (const [name, bytes] of lifted) held?.fields.set(name, secret(bytes));
      const value = parseJson(body, scan);
      const path = scan.hasOddText ? findUncleanText(value, keepsInvisible) : undefined;
      if (path !== undefined)
        throw invalid(path, 'must not contain control, invisible or invalid characters');
      done(null, value);
    } catch (error) {
      held?.parts.push(...lifted.values());
      done(error as Error);
    }
  });
  // The route reads the body itself, and only then.
  app.addContentTypeParser([...STREAMED_TYPES], (_request, _payload, done) => done(null, undefined));
  app.addContentTypeParser('*', (request, payload, done) => {
    payload.resume();
    const { streamed = [JSON_TYPE] } = routeOf(request).config as BodyConfig;
    done(new EmbossError(400, `content-type: must be ${streamed.join(' or ')}`));
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const type = headers['content-type'];
    const { streamed } = (routeOf(request).config ?? {}) as BodyConfig;
    const hasBody = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
    if (streamed && (type !== undefined || hasBody))
      headers['content-type'] = streamed.find((known) => isType(known, type)) ?? OTHER_TYPE;
    else if (!streamed && type !== JSON_TYPE)
      headers['content-type'] = type === undefined || IS_JSON.test(type) ? JSON_TYPE : OTHER_TYPE;
    done();
  });
  app.addHook('onRoute', (route) => {
    const { bodyBounds } = (route.config ?? {}) as BodyConfig;
    if (bodyBounds) route.bodyLimit = bodyBounds.bytes + READ_FURTHER_BYTES;
    if ((route.schema?.body as Record<string, unknown> | undefined)?.[OPTIONAL_BODY])
      addTo(route, 'preValidation', (request, _reply, done) => {
        if (request.body === undefined) request.body = {};
        done();
      });
  });
  overwriteSecrets(app);
}

/** Also the chunks in which the body arrived: Fastify joins them into a copy. */
function overwriteSecrets(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { properties = {} } = (route.schema?.body ?? {}) as ObjectSchema;
    const names = Object.keys(properties).filter((name) => properties[name]?.writeOnly === true);
    if (names.length === 0) return;
    route.config = { ...route.config, secretFields: new Set(names) } as object;
    addTo(route, 'preParsing', (request, _reply, payload, done) => {
      const parts: Buffer[] = [];
      (request as WithSecrets)[SECRETS] = { fields: new Map(), parts };
      payload.on('data', (part: Buffer) => parts.push(part));
      done(null, payload);
    });
    addTo(route, 'onSend', (request, _reply, _payload, done) => {
      const held = (request as WithSecrets)[SECRETS];
      for (const part of held?.parts ?? []) part.fill(0);
      for (const field of held?.fields.values() ?? []) wipe(field);
      done();
    });
  });
}

type HookName = 'preParsing' | 'preValidation' | 'onSend';

/** Adds a hook to one route: other routes do not pay for it. */
export function addTo<Name extends HookName>(
  route: RouteOptions,
  name: Name,
  hook: Extract<RouteOptions[Name], (...args: never[]) => unknown>,
): void {
  route[name] = [...[route[name] ?? []].flat(), hook] as RouteOptions[Name];
}

const JSON_TYPE = 'application/json';
const OTHER_TYPE = 'application/octet-stream';
const STREAMED_TYPES = ['application/x-ndjson', 'text/csv'] as const;
/** The given type with no other parameter than the one encoding that is read. */
const isType = (known: string, given = ''): boolean =>
  /^([\w./-]+)\s*(?:;\s*charset="?utf-8"?\s*)?$/i.exec(given.trim())?.[1]?.toLowerCase() === known;
/** Fastify caches every content type that it sees. Normalising the header bounds that cache to two entries. */
const IS_JSON = /^\s*application\/json\s*(;|$)/i;

interface ObjectSchema {
  items?: ObjectSchema;
  properties?: Record<string, ObjectSchema & { const?: unknown; writeOnly?: boolean }>;
  oneOf?: ObjectSchema[];
  discriminator?: { propertyName: string };
}

/** A valid body without undeclared fields: ignored fields are never stored. */
export function declaredOnly<Body>(schema: unknown, body: Body): Body {
  const { items } = schema as ObjectSchema;
  if (items && Array.isArray(body)) return body.map((item) => declaredOnly(items, item)) as Body;
  const properties = propertiesFor(schema as ObjectSchema, body);
  if (properties === undefined || typeof body !== 'object' || body === null) return body;
  const kept = Object.entries(properties)
    .filter(([name]) => Object.hasOwn(body, name))
    .map(([name, property]) => [name, declaredOnly(property, (body as Record<string, unknown>)[name])]);
  return Object.fromEntries(kept) as Body;
}

/** The variant of a union that the discriminating field selects. */
function propertiesFor(schema: ObjectSchema, body: unknown): ObjectSchema['properties'] {
  const { properties, oneOf, discriminator } = schema;
  if (!oneOf || !discriminator) return properties;
  const tag = discriminator.propertyName;
  const chosen = (body as Record<string, unknown>)[tag];
  return oneOf.find((shape) => shape.properties?.[tag]?.const === chosen)?.properties;
}
