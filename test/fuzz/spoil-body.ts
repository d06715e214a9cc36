import type { Dice } from './dice.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { BROKEN_BODIES, CONTENT_TYPES, IGNORED_FIELDS, ODD_TEXTS } from './hostile.ts';
import type { Schema } from './operations.ts';
import { fits, holdsUncleanText, spoilt } from './values.ts';

export function spoilBody(request: FuzzRequest, dice: Dice): void {
  const { body: schema } = request.operation;
  if (!schema) return;
  request.value = spoilt(schema, request.value, dice);
  request.body = Buffer.from(JSON.stringify(request.value) ?? '');
  if (!isObject(request.value)) request.refusedFor ??= 'the body is no object';
  else if (holdsUncleanText(withoutSecrets(schema, request.value), takesInvisible(request)))
    request.refusedFor ??= 'a text is not clean';
  else if (!fits(schema, request.value)) request.refusedFor ??= 'the schema says so';
  if (request.body.length > mostBytes(request)) request.refusedFor ??= 'the body is too long';
}

/** A list of cards may be longer. */
const mostBytes = ({ operation }: FuzzRequest): number =>
  operation.template.endsWith('/card-batches/')
    ? 2_097_152
    : /\/rule-lists\/.*(Name\}|add|remove)\/$/.test(operation.template)
      ? 1_048_576
      : 65_536;

/** A password or a code may hold any text: it is compared, and never stored or shown. */
const withoutSecrets = ({ properties = {} }: Schema, value: unknown): object =>
  Object.fromEntries(
    Object.entries(value as object).filter(([name]) => properties[name]?.writeOnly !== true),
  );

/** The network's messages are never refused for how they describe a merchant. */
const takesInvisible = ({ operation }: FuzzRequest): boolean =>
  operation.template.startsWith('/api/v1/network/');

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function breakBody(request: FuzzRequest, dice: Dice): void {
  const whole = request.body;
  request.value = undefined;
  request.body =
    whole && dice.chance(0.3) ? whole.subarray(0, dice.below(whole.length)) : dice.pick(BROKEN_BODIES);
  if (request.operation.body) request.refusedFor ??= 'the body is no JSON object';
  // An unreadable body is refused by other rules if the operation takes none.
  else request.isDocumented = false;
}

export function lengthenBody(request: FuzzRequest): void {
  if (!request.body) return;
  const missing = mostBytes(request) + 1 - request.body.length;
  request.body = Buffer.concat([request.body, Buffer.alloc(missing, ' ')]);
  request.refusedFor ??= 'the body is too long';
}

export function addIgnoredField(request: FuzzRequest, dice: Dice): void {
  const text = request.body?.toString();
  if (!text?.endsWith('}')) return;
  const field = dice.pick(IGNORED_FIELDS);
  const name = Object.keys(JSON.parse(`{${field}}`))[0] ?? '';
  // It may be one that this operation does know.
  if (
    request.operation.body &&
    JSON.stringify(request.operation.body).includes(`"${name}"`) &&
    name !== '__proto__'
  )
    return;
  request.body = Buffer.from(text === '{}' ? `{${field}}` : `${text.slice(0, -1)},${field}}`);
}

export function repeatField(request: FuzzRequest, dice: Dice): void {
  const text = request.body?.toString();
  const names = isObject(request.value) ? Object.keys(request.value as object) : [];
  if (!text || names.length === 0) return;
  request.body = Buffer.from(
    `{${JSON.stringify(dice.pick(names))}:${JSON.stringify(dice.pick(ODD_TEXTS))},${text.slice(1)}`,
  );
  request.refusedFor ??= 'a key stands twice';
}

export function oddContentType(request: FuzzRequest, dice: Dice): void {
  if (request.body === undefined) return;
  request.headers.push(['content-type', Buffer.from(dice.pick(CONTENT_TYPES)).toString('latin1')]);
  request.isDocumented = request.operation.body !== undefined;
  request.refusedFor ??= 'the content type is not JSON';
}

/** The same bytes without their length in front. */
export function chunkBody(request: FuzzRequest, dice: Dice): void {
  if (request.body === undefined || request.body.length === 0) return;
  const at = 1 + dice.below(request.body.length);
  const parts = [request.body.subarray(0, at), request.body.subarray(at)].filter((part) => part.length > 0);
  const chunks = parts.flatMap((part) => [
    Buffer.from(`${part.length.toString(16)}\r\n`),
    part,
    Buffer.from('\r\n'),
  ]);
  request.body = Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
  request.headers.push(['transfer-encoding', 'chunked']);
}
