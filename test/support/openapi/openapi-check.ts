import { Ajv2020 } from 'ajv/dist/2020.js';
import { dereference } from './dereference.ts';

export type DocumentCheck = (method: string, path: string, status: number, body: unknown) => void;

interface Operation {
  responses: Record<string, { content?: { 'application/json'?: { schema: object } } }>;
}

/** Fails when an answer has a status or a body that the OpenAPI document does not describe. */
export function openApiCheck(...documents: unknown[]): DocumentCheck {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const paths = documents.flatMap((document) =>
    Object.entries((dereference(document) as { paths: Record<string, Record<string, Operation>> }).paths),
  );
  const patterns = paths.map(([template, operations]) => ({
    pattern: new RegExp(`^${template.replace(/\/$/, '').replace(/\{[^}]+\}/g, '[^/]+')}/?$`),
    operations,
  }));
  return (method, path, status, body) => {
    const pathname = path.split('?')[0] ?? path;
    const operation = patterns.find(({ pattern }) => pattern.test(pathname))?.operations[
      method.toLowerCase()
    ];
    if (!operation) return;
    const response = operation.responses[String(status)];
    if (!response)
      throw new Error(`${method} ${pathname} answered ${status}, which the document does not list`);
    const schema = response.content?.['application/json']?.schema;
    if (schema && !ajv.validate(schema, body))
      throw new Error(
        `${method} ${pathname} ${status}: the body does not fit the document: ${ajv.errorsText()}`,
      );
  };
}
