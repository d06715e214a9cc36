import { type TSchema, Type } from 'typebox';

/** The one error body. `code` is the HTTP status unless the error table gives another. */
const ErrorBody = Type.Object(
  {
    code: Type.Integer({ description: 'Error code: the HTTP status, or a code of the error table.' }),
    message: Type.String({ description: 'Names the field by its path and the rule it broke.' }),
    status: Type.Literal('failed'),
  },
  { title: 'Error' },
);

const DESCRIPTIONS: Record<number, [string, Record<string, unknown>]> = {
  400: ['Invalid request', { code: 400, message: 'cardType: is required', status: 'failed' }],
  401: [
    'Missing, unknown, revoked or expired key',
    { code: 401, message: 'Authentication failed', status: 'failed' },
  ],
  403: [
    'The key lacks a scope',
    { code: 403, message: 'This key lacks the scope "credentials"', status: 'failed' },
  ],
  404: ['No such record', { code: 404, message: 'Record not found', status: 'failed' }],
  409: [
    'The Idempotency-Key was used with another request',
    { code: 409, message: 'Idempotency-Key: was used with another request', status: 'failed' },
  ],
  413: [
    'The body is over 64 KiB',
    { code: 413, message: 'body: must be at most 65536 bytes', status: 'failed' },
  ],
  500: [
    'Something broke on our side',
    {
      code: 500,
      message: 'Internal error (request req_019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f)',
      status: 'failed',
    },
  ],
  503: [
    'The database is away',
    { code: 503, message: 'The database is away; try again shortly', status: 'failed' },
  ],
};

/** Response entries for the statuses an operation may answer with, each with a description and an example. */
export function errorResponses(...statuses: number[]): Record<number, TSchema> {
  return Object.fromEntries(
    statuses.map((status) => {
      const [description, example] = DESCRIPTIONS[status] ?? ['Error', {}];
      return [status, { ...ErrorBody, description, examples: [example] } as TSchema];
    }),
  );
}

/** A success for the documentation: what the answer is, in words. */
export const success = <Schema extends TSchema>(schema: Schema, description: string): Schema => ({
  ...schema,
  description,
});

/** Extra words for a rule that a pattern or format states only to machines. */
export const rule = (text: string) => ({ 'x-rule': text });

/** Checked by `idempotency.ts`; here it is for the documentation. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        'At most 255 characters. The same key with the same request gives the first answer again, for 24 h.',
    }),
  ),
});
