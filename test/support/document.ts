import type { TestApp } from './test-app.ts';

/** One operation of the OpenAPI document: what a test walks over so that a new route is never forgotten. */
export interface Operation {
  method: string;
  /** As in the document, with `{cardId}` and the like. */
  template: string;
  needsKey: boolean;
  /** The body the document itself shows, for operations that take one. */
  body: unknown;
}

interface Schema {
  examples?: unknown[];
  enum?: unknown[];
  const?: unknown;
  type?: string | string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  required?: string[];
  properties?: Record<string, Schema>;
}
interface DocumentedOperation {
  security?: unknown[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
}

/** Where the document's own example says too little to succeed. */
const BODIES: Record<string, unknown> = {
  'POST /api/v1/sandbox/clock/': { advance_seconds: 0 },
};

export async function operationsOf(app: TestApp): Promise<Operation[]> {
  const { body: document } = await app.call('GET', '/openapi.json', { key: null });
  const paths = document.paths as Record<string, Record<string, DocumentedOperation>>;
  return Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([name, operation]) => {
      const method = name.toUpperCase();
      const schema = operation.requestBody?.content['application/json'].schema;
      const body = schema && (BODIES[`${method} ${template}`] ?? exampleOf(schema));
      return { method, template, needsKey: operation.security?.length !== 0, body };
    }),
  );
}

/** Puts ids into a path. A parameter nobody thought of fails here, and asks to be thought of. */
export function fillPath(template: string, parameters: Record<string, string>): string {
  return template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = parameters[name];
    if (value === undefined) throw new Error(`no test value for the path parameter ${name}`);
    return value;
  });
}

/** The smallest body a schema asks for, made of the examples it gives. */
function exampleOf(schema: Schema): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices?.[0]) return exampleOf(choices[0]);
  if (schema.type === 'object') {
    const required = schema.required ?? [];
    return Object.fromEntries(required.map((name) => [name, exampleOf(schema.properties?.[name] ?? {})]));
  }
  if (schema.type === 'boolean') return true;
  return schema.type === 'string' ? 'text' : 1;
}
