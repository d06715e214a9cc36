import { type TSchema, Type } from 'typebox';

/** The one error body. `code` is the HTTP status unless the error table gives another. */
const ErrorBody = Type.Object(
  {
    code: Type.Integer({ description: 'The HTTP status, or a code from the error table.' }),
    message: Type.String({ description: 'The path of the field and the rule that it breaks.' }),
    status: Type.Literal('failed'),
  },
  { title: 'Error' },
);

const DESCRIPTIONS: Record<number, [description: string, message: string]> = {
  400: ['Invalid request', 'page: must not be given: this endpoint has no query parameters'],
  401: ['Missing, unknown, revoked or expired key', 'Authentication failed'],
  403: ['The key lacks the required scope', 'This key lacks the scope "credentials"'],
  404: ['Record not found', 'Record not found'],
  409: [
    'The Idempotency-Key was already used with a different request',
    'Idempotency-Key: was already used with a different request',
  ],
  413: ['The body is over 64 KiB', 'body: must be at most 65536 bytes'],
  500: ['Internal error', 'Internal error (request req_019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f)'],
  503: ['The database is unavailable or busy; retry', 'The database is unavailable; retry'],
};

const errorSchema = (description: string, examples: Array<[code: number, message: string]>): TSchema =>
  ({
    ...ErrorBody,
    description,
    examples: examples.map(([code, message]) => ({ code, message, status: 'failed' })),
  }) as TSchema;

/** Response entries for the statuses of an operation, each with a description and an example. */
export function errorResponses(...statuses: number[]): Record<number, TSchema> {
  const entries = statuses.map((status) => {
    const [description = 'Error', message = ''] = DESCRIPTIONS[status] ?? [];
    return [status, errorSchema(description, [[status, message]])] as const;
  });
  return Object.fromEntries(entries);
}

/** The 400 of an operation, with its own examples: the code is not always 400. */
export const badRequest = (...examples: Array<[code: number, message: string]>): Record<400, TSchema> => ({
  400: errorSchema('Invalid request', examples),
});

/** The 409 of an operation that is idempotent by an id in its body, or also by an Idempotency-Key. */
export const conflict = (...fields: string[]): Record<409, TSchema> => ({
  409: errorSchema(
    `The ${['id', 'Idempotency-Key'].slice(0, fields.length).join(' or ')} was already used with a different request`,
    fields.map((field) => [409, `${field}: was already used with a different request`]),
  ),
});

/** An error with a message of its own. */
export const refusal = (status: number, description: string, message: string): Record<number, TSchema> => ({
  [status]: errorSchema(description, [[status, message]]),
});

/** A success with a description and an example. */
export const success = <Schema extends TSchema>(
  schema: Schema,
  description: string,
  example: unknown,
): Schema => ({ ...schema, description, examples: [example] });

/** A value or null. The only form of it: generators of clients read `anyOf`, but neither `null` alone nor a list of types. */
export const nullable = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

/** The answer of an operation that returns nothing else. */
export const Message = Type.Object({ message: Type.String() }, { title: 'Message' });

/** Describes in words a rule that the schema states as a pattern or format. */
export const rule = (text: string) => ({ 'x-rule': text });

/** For the documentation; `idempotency.ts` checks the header. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        'At most 255 characters. For 24 hours, the same key with the same request returns the first response again.',
    }),
  ),
});
