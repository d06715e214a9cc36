import type { OpenApiDocument, Operation, Schema } from './openapi-document.ts';
import { comment, nameOf, objectType, typeOf } from './types.ts';

/** One operation with the facts that a client needs. */
export interface Call {
  operation: Operation;
  name: string;
  method: string;
  path: string;
  /** In the order of the path. */
  pathParameters: string[];
  /** The type of a path parameter, if it is not any text. */
  pathTypes: Record<string, string>;
  query: Schema | undefined;
  bodyType: string | undefined;
  /** False: its body is a file. */
  sendsJson: boolean;
  /** A missing body means an empty one. */
  isBodyOptional: boolean;
  answerType: string | undefined;
  /** The type of one record, if the answer is a page of records. */
  pageOf: string | undefined;
  key: 'merchant' | 'network' | 'none';
  retry: string;
}

export const callsOf = (document: OpenApiDocument): Call[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describe(document, path, method, operation)),
  );

function describe(document: OpenApiDocument, path: string, method: string, operation: Operation): Call {
  const parameters = operation.parameters ?? [];
  const queryParameters = parameters.filter((parameter) => parameter.in === 'query');
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const answers = ['200', '201', '202'].flatMap((status) => jsonOf(operation.responses[status]) ?? []);
  const [answer] = answers;
  const page = answer?.$ref ? document.components.schemas[nameOf(answer.$ref)] : undefined;
  const records = page?.properties?.['next'] && page.properties['results']?.items;
  const body = jsonOf(operation.requestBody);
  return {
    operation,
    name: operation.operationId,
    method: method.toUpperCase(),
    path,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string),
    pathTypes: Object.fromEntries(inPath.map(({ name, schema }) => [name, typeOf(schema)])),
    query: queryParameters.length === 0 ? undefined : querySchema(queryParameters),
    bodyType: body && typeOf(body),
    sendsJson: !operation.requestBody || body !== undefined,
    isBodyOptional: operation.requestBody?.required === false,
    answerType: answers.map((each) => typeOf(each)).join(' | ') || undefined,
    pageOf: records && typeOf(records),
    key: keyOf(operation),
    retry: retryOf(document, method, operation, body),
  };
}

const jsonOf = (part: { content?: Record<string, { schema: Schema }> } | undefined): Schema | undefined =>
  part?.content?.['application/json']?.schema;

const querySchema = (parameters: NonNullable<Operation['parameters']>): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    parameters.map(({ name, schema, description }) => [
      name,
      { ...schema, ...(description && { description }) },
    ]),
  ),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
});

function keyOf({ security }: Operation): Call['key'] {
  if (security === undefined) return 'merchant';
  const [scheme] = Object.keys(security[0] ?? {});
  return scheme === 'networkKey' ? 'network' : scheme === 'merchantKey' ? 'merchant' : 'none';
}

/** Ids by which the server recognises a repeated message. */
const OWN_IDS = ['reversal_id', 'clearing_id', 'refund_id', 'external_transaction_id', 'authentication_id'];

/**
 * When a request with an unknown outcome may be sent again: `always`, if executing it twice has the same effect as
 * once; `with a key`; by an id in its body; or `never`.
 */
function retryOf(
  { components }: OpenApiDocument,
  method: string,
  operation: Operation,
  body?: Schema,
): string {
  const takesKey = operation.parameters?.some(({ name }) => name === 'idempotency-key');
  if (takesKey) return 'with a key';
  if (method === 'get' || method === 'put') return 'always';
  const fields = body?.$ref ? components.schemas[nameOf(body.$ref)]?.properties : {};
  const ownId = OWN_IDS.find((id) => fields?.[id]);
  return ownId ? `by ${ownId}` : 'never';
}

const typeNameOf = (name: string): string => `${name[0]?.toUpperCase()}${name.slice(1)}`;

/** For example `ListCardsQuery`. */
export const queryInterface = ({ name, query }: Call): string =>
  query ? `export interface ${typeNameOf(name)}Query ${objectType(query, '')}` : '';

/** Path, body and query as typed parameters of a function. */
export function parametersOf(call: Call): string[] {
  const { name, pathParameters, pathTypes, bodyType, isBodyOptional, query, retry } = call;
  const optional = query && !query.required?.length;
  return [
    ...pathParameters.map((parameter) => `${parameter}: ${pathTypes[parameter] ?? 'string'}`),
    ...(bodyType ? [`body${isBodyOptional ? '?' : ''}: ${bodyType}`] : []),
    ...(query ? [`query${optional ? '?' : ''}: ${typeNameOf(name)}Query`] : []),
    `options?: ${retry === 'with a key' ? 'IdempotentOptions' : 'RequestOptions'}`,
  ];
}

export const resultOf = ({ pageOf, answerType }: Call): string =>
  pageOf ? `List<${pageOf}>` : `Promise<${answerType}>`;

export function operationFunction(call: Call): string {
  const { operation, name, method, path, key, retry, query, bodyType, pageOf } = call;
  const parameters = ['client: Client', ...parametersOf(call)].join(', ');
  const url = path.includes('{')
    ? `\`${path.replace(/\{(\w+)\}/g, (_, id) => `\${segment(${id})}`)}\``
    : `'${path}'`;
  const request = [
    `method: '${method}'`,
    `path: ${url}`,
    `key: '${key}'`,
    `retry: '${retry}'`,
    ...(query ? ['query'] : []),
    ...(bodyType ? ['body'] : []),
  ];
  const send = pageOf ? 'list' : 'send';
  return `${comment(wordsOf(operation))}export const ${name} = (${parameters}): ${resultOf(call)} =>
  ${send}(client, { ${request.join(', ')} }, options);`;
}

export const wordsOf = ({ summary, description }: Operation): string =>
  description ? `${summary}. ${description}` : `${summary}.`;
