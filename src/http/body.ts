import type { FastifyInstance } from 'fastify';
import { EmbossError } from '../kernel/error.ts';
import { findUncleanText } from '../kernel/text.ts';

const BODY_LIMIT_BYTES = 65_536;

/**
 * What is read before a body is refused. To hang up on somebody who is still sending makes the machine throw the answer
 * away with what was not read: whoever is a little over the limit is heard to the end, and told.
 */
export const READ_LIMIT_BYTES = 4 * BODY_LIMIT_BYTES;

export const TOO_LARGE = `body: must be at most ${BODY_LIMIT_BYTES} bytes`;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Bodies are JSON. A missing content type is taken for JSON; any other type is refused with a hint, since
 * `curl -d` alone says "form". Prototype keys are dropped like any other unknown field.
 */
export function acceptJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    if (body.length > BODY_LIMIT_BYTES) return done(new EmbossError(413, TOO_LARGE));
    let text: string;
    try {
      text = utf8.decode(body);
    } catch {
      return done(new EmbossError(400, 'body: must be UTF-8 text'));
    }
    void parseJson(request, text, (error, value) => {
      if (error) return done(new EmbossError(400, 'body: must be JSON'));
      const path = findUncleanText(value);
      if (path !== undefined)
        return done(
          new EmbossError(400, `${path}: must not contain control characters or broken characters`),
        );
      done(null, value);
    });
  });
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    done(new EmbossError(400, 'content-type: must be application/json'));
  });
  app.addHook('onRequest', async ({ raw: { headers } }) => {
    headers['content-type'] = IS_JSON.test(headers['content-type'] ?? JSON_TYPE) ? JSON_TYPE : OTHER_TYPE;
  });
}

const JSON_TYPE = 'application/json';
const OTHER_TYPE = 'application/octet-stream';
/** Fastify remembers every content type that it meets, whatever somebody wrote into it: it meets two. */
const IS_JSON = /^\s*application\/json\s*(;|$)/i;

interface ObjectSchema {
  properties?: Record<string, ObjectSchema & { const?: unknown }>;
  oneOf?: ObjectSchema[];
  discriminator?: { propertyName: string };
}

/** A valid body without the fields its schema does not declare: what is ignored is not stored either. */
export function declaredOnly<Body>(schema: unknown, body: Body): Body {
  const properties = propertiesFor(schema as ObjectSchema, body);
  if (properties === undefined || typeof body !== 'object' || body === null) return body;
  const kept = Object.entries(properties)
    .filter(([name]) => Object.hasOwn(body, name))
    .map(([name, property]) => [name, declaredOnly(property, (body as Record<string, unknown>)[name])]);
  return Object.fromEntries(kept) as Body;
}

/** Where the shape depends on one field, the shape that this field chose. */
function propertiesFor(schema: ObjectSchema, body: unknown): ObjectSchema['properties'] {
  const { properties, oneOf, discriminator } = schema;
  if (!oneOf || !discriminator) return properties;
  const tag = discriminator.propertyName;
  const chosen = (body as Record<string, unknown>)[tag];
  return oneOf.find((shape) => shape.properties?.[tag]?.const === chosen)?.properties;
}
