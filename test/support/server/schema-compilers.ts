import { type FastifyServerOptions, fastify } from 'fastify';
import { ajvOptions } from '../../../src/http/validation.ts';

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;

/** Fastify's own compilers, with the product's options. Fastify creates them for the first route that has a schema. */
async function ownCompilers() {
  const donor = fastify({ ajv: ajvOptions as never });
  const schema = { querystring: { type: 'object' }, response: { 200: { type: 'object' } } };
  donor.get('/', { schema }, () => ({}));
  await donor.ready();
  const { validatorCompiler, serializerCompiler } = donor;
  if (!validatorCompiler || !serializerCompiler) throw new Error('Fastify has no compilers');
  return { validate: validatorCompiler, serialize: serializerCompiler };
}

/** The apps of one process compile each schema once; to compile them all took half of the start of an app. */
export async function sharedCompilers(): Promise<Compilers> {
  const { validate, serialize } = await ownCompilers();
  const once = <Route extends { schema: unknown }, Made>(compile: (route: Route) => Made) => {
    const made = new Map<string, Made>();
    return (route: Route): Made => {
      const text = JSON.stringify(route.schema);
      const known = made.get(text) ?? compile(route);
      made.set(text, known);
      return known;
    };
  };
  const [validatorOf, serializerOf] = [once(validate), once(serialize)];
  // Fastify types these functions as taking a schema; it passes a route.
  return { buildValidator: () => validatorOf, buildSerializer: () => serializerOf } as unknown as Compilers;
}
