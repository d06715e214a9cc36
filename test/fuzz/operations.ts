import { dereference } from '../support/openapi/dereference.ts';

/** As much of JSON Schema as the document uses. */
export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  writeOnly?: boolean;
  examples?: unknown[];
}

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema: Schema;
}

export type Api = 'merchant' | 'network' | 'console' | 'open';

/** One operation of the document, or an operation of the public API under the path of the console API. */
export interface Operation {
  id: string;
  api: Api;
  method: string;
  template: string;
  query: Parameter[];
  takesIdempotencyKey: boolean;
  body: Schema | undefined;
  statuses: number[];
}

interface Documented {
  operationId: string;
  security?: Array<Record<string, unknown>>;
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json'?: { schema: Schema } } };
  responses: Record<string, unknown>;
}

const APIS: Record<string, Api> = {
  merchantKey: 'merchant',
  networkKey: 'network',
  operatorSession: 'console',
};
const CONSOLE = '/console/api/programs/{programId}/';
/** For an operator of all programs; each lane's operator has one. */
const INSTALLATION_ALONE = ['consoleCreateProgram'];
/** The console reveals numbers in its own way. */
const MERCHANTS_ALONE = ['revealCredentials', 'createRevealSession'];

/** In the console the operator gives the password again; the document shows these as keys call them. */
const CONFIRMED = ['putDecisionEndpoint', 'removeDecisionEndpoint', 'rotateDecisionSecret'];
const withPassword = (body: Schema = { type: 'object' }): Schema => ({
  ...body,
  properties: { ...body.properties, password: { type: 'string', maxLength: 256, writeOnly: true } },
});

/** Every operation; those of merchants and sandbox a second time as the console's pages call them. */
export function listOperations(document: unknown): Operation[] {
  const { paths, security = [] } = dereference(document) as {
    paths: Record<string, Record<string, Documented>>;
    security?: Array<Record<string, unknown>>;
  };
  const documented = Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const [scheme = ''] = Object.keys((operation.security ?? security)[0] ?? {});
      return toOperation(method.toUpperCase(), template, APIS[scheme] ?? 'open', operation);
    }),
  );
  const again = documented.filter(
    ({ id, template }) => /^\/api\/v1\/(merchant|sandbox)\//.test(template) && !MERCHANTS_ALONE.includes(id),
  );
  return [
    ...documented.filter(({ id }) => !INSTALLATION_ALONE.includes(id)),
    ...again.map((operation) => ({
      ...operation,
      id: `console:${operation.id}`,
      api: 'console' as const,
      template: operation.template.replace('/api/v1/', CONSOLE),
      ...(CONFIRMED.includes(operation.id) && { body: withPassword(operation.body) }),
    })),
  ];
}

function toOperation(method: string, template: string, api: Api, documented: Documented): Operation {
  const parameters = documented.parameters ?? [];
  return {
    id: documented.operationId,
    api,
    method,
    template,
    query: parameters.filter((parameter) => parameter.in === 'query'),
    takesIdempotencyKey: parameters.some(({ name }) => name === 'idempotency-key'),
    // A file has none.
    body: documented.requestBody?.content['application/json']?.schema,
    statuses: Object.keys(documented.responses).map(Number),
  };
}

/** With the password of the operator who is signed in. */
export const isConfirmed = ({ api, template, body }: Operation): boolean =>
  api === 'console' && !template.includes('/session/') && body?.properties?.['password'] !== undefined;

/** The operation itself, in either API. */
export const kindOf = ({ id }: Operation): string => id.replace('console:', '');
