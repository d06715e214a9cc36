import type { Dice } from './dice.ts';
import {
  BROKEN_BODIES,
  CONTENT_TYPES,
  IGNORED_FIELDS,
  ODD_HEADERS,
  ODD_METHODS,
  ODD_TARGETS,
  ODD_TEXTS,
  ODD_WIRE,
  UNCLEAN_TEXTS,
} from './hostile.ts';
import { kindOf, type Operation } from './operations.ts';
import { knownTo, type Pool, remember } from './pool.ts';
import type { Stage, Tenant } from './stage.ts';
import { fits, holdsUncleanText, type Known, spoilt, validValue } from './values.ts';
import type { Delivery } from './wire.ts';

/** Who asks: a refusal is certain for all but the first. */
export type Caller = 'right' | 'nobody' | 'unknown' | 'wrong door' | 'stranger' | 'reader' | 'another page';

export interface FuzzRequest {
  /** What was done to a valid request, for the report. */
  trick: string;
  operation: Operation;
  /** Whether the answer must be one that the document lists for the operation. */
  isDocumented: boolean;
  caller: Caller;
  method: string;
  target: string;
  parameters: Record<string, string>;
  headers: Array<readonly [string, string]>;
  body: Buffer | undefined;
  /** The body as the server reads it, where that is certain. */
  value: unknown;
  /** Why nobody may accept it. */
  refusedFor: string | undefined;
  /** What else is done to the bytes of the head. */
  wire: ((head: string) => string) | undefined;
  delivery: Delivery;
}

const RARE: Record<string, number> = {
  ...{ signIn: 0.15, changePassword: 0.1, signOut: 0.1, getSession: 0.5, moveClock: 0.3, blockCard: 0.5 },
  ...{
    createCard: 3,
    authorize: 5,
    simulateAuthorization: 4,
    clear: 2,
    reverse: 2,
    refund: 2,
    requestFile: 0.5,
  },
  ...{ checkLive: 0.3, checkReady: 0.3, resendMissedWebhookEvents: 0.3 },
};

/** Every operation as often as it is interesting. */
export function chooseOperation(operations: Operation[], dice: Dice): Operation {
  for (;;) {
    const operation = dice.pick(operations);
    if (dice.chance((RARE[kindOf(operation)] ?? 1) / 5)) return operation;
  }
}

export function makeRequest(
  operation: Operation,
  pool: Pool,
  stage: Stage,
  stranger: Tenant,
  dice: Dice,
  isPlain = false,
): FuzzRequest {
  const known = knownTo(pool, stage, dice);
  const caller = isPlain ? 'right' : chooseCaller(operation, dice);
  const parameters = pathParameters(operation, known);
  const value = operation.body && coherent(operation, validValue(operation.body, dice, known), pool, dice);
  const request: FuzzRequest = {
    trick: 'valid',
    operation,
    isDocumented: true,
    caller,
    method: operation.method,
    target: targetOf(operation, parameters, validQuery(operation, dice, known)),
    parameters,
    headers: [...keyHeaders(operation, caller, pool, stranger)],
    body: operation.body && Buffer.from(JSON.stringify(value)),
    value,
    refusedFor: refusalOf(operation, caller),
    wire: undefined,
    delivery: dice.chance(0.92) ? 'whole' : dice.chance(0.9) ? 'split' : 'slow',
  };
  const link = pool.links.at(-1);
  if (operation.id === 'downloadReport' && link && dice.chance(0.8))
    request.target = link.slice(stage.url.length);
  if (operation.takesIdempotencyKey && dice.chance(0.4))
    request.headers.push(['idempotency-key', idempotencyKey(pool, dice)]);
  if (!isPlain && dice.chance(0.5)) applyTrick(request, dice, known);
  if (
    request.body !== undefined &&
    !request.headers.some(([name]) => name === 'content-type') &&
    dice.chance(0.97)
  )
    request.headers.push([
      'content-type',
      dice.chance(0.9) ? 'application/json' : 'Application/JSON; charset=UTF-8',
    ]);
  return request;
}

const CERTAIN: Partial<Record<Caller, string>> = {
  nobody: 'nobody asks',
  unknown: 'the key is unknown',
  'wrong door': 'the key is for another door',
};

function refusalOf({ id, method, template }: Operation, caller: Caller): string | undefined {
  const namesRecord = /\{(cardId|endpointId|eventId|reference_id)\}/.test(template) || /simulate/.test(id);
  if (caller === 'stranger' && namesRecord) return 'the record is of another program';
  if (caller === 'another page' && (method !== 'GET' || id.endsWith('requestFile')))
    return 'no page of ours asks';
  if (caller === 'reader' && (method !== 'GET' || id === 'revealCredentials')) return 'the key may only read';
  return CERTAIN[caller];
}

function chooseCaller({ door }: Operation, dice: Dice): Caller {
  if (door === 'open' || dice.chance(0.9)) return 'right';
  return dice.pick(
    door === 'merchant'
      ? ['nobody', 'unknown', 'wrong door', 'stranger', 'reader']
      : door === 'console'
        ? ['nobody', 'unknown', 'wrong door', 'another page']
        : ['nobody', 'unknown', 'wrong door'],
  );
}

function keyHeaders(
  { door, template }: Operation,
  caller: Caller,
  pool: Pool,
  stranger: Tenant,
): Array<readonly [string, string]> {
  const { tenant } = pool;
  const { cookie, csrfToken } = template.includes('/session/') ? pool.guest : pool.session;
  if (door === 'open' || caller === 'nobody') return [];
  const unknown = caller === 'unknown' ? 'no-key-that-anybody-has' : undefined;
  if (door === 'console') {
    if (caller === 'wrong door') return [['x-payments-api-key', tenant.key]];
    if (caller === 'another page') return [['cookie', cookie]];
    return [
      ['cookie', unknown ? `emboss_session=${unknown}` : cookie],
      ['x-csrf-token', csrfToken],
    ];
  }
  if (door === 'network')
    return [['x-network-key', unknown ?? (caller === 'wrong door' ? tenant.key : tenant.networkKey)]];
  const keys: Partial<Record<Caller, string>> = {
    'wrong door': tenant.networkKey,
    stranger: stranger.key,
    reader: tenant.readKey,
  };
  return [['x-payments-api-key', unknown ?? keys[caller] ?? tenant.key]];
}

const pathParameters = ({ template }: Operation, known: Known): Record<string, string> =>
  Object.fromEntries(
    [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, String(known(name))]),
  );

function validQuery({ query }: Operation, dice: Dice, known: Known): Array<[string, string]> {
  return query
    .filter(({ required }) => required || dice.chance(0.25))
    .map(({ name, schema }) => [name, String(validValue(schema, dice, known, name))]);
}

const escaped = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27');

function targetOf(
  { template }: Operation,
  parameters: Record<string, string>,
  query: Array<[string, string]>,
): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => escaped(parameters[name] as string));
  return query.length === 0
    ? path
    : `${path}?${query.map(([name, text]) => `${name}=${escaped(text)}`).join('&')}`;
}

function idempotencyKey(pool: Pool, dice: Dice): string {
  if (pool.idempotencyKeys.length > 0 && dice.chance(0.3)) return dice.pick(pool.idempotencyKeys);
  const key = `key ${++pool.made}`;
  remember(pool.idempotencyKeys, key);
  return key;
}

/** Number, expiry and CVV of one card: chance alone would hardly ever bring them together. */
function coherent(operation: Operation, value: unknown, pool: Pool, dice: Dice): unknown {
  const body = value as Record<string, unknown>;
  const cards = pool.cards.filter(({ number }) => number !== undefined);
  if (operation.door !== 'network' || cards.length === 0) return value;
  const card = dice.pick(cards);
  if ('card_number' in body && dice.chance(0.95)) body['card_number'] = card.number;
  if ('expiry' in body && dice.chance(0.95)) body['expiry'] = card.expiry;
  if ('cvv' in body) body['cvv'] = dice.chance(0.9) ? card.cvv : '000';
  return body;
}

type Trick = (request: FuzzRequest, dice: Dice, known: Known) => void;

/** Each makes one thing wrong or odd. Those that change how the bytes are read make the answer one of HTTP's own. */
const TRICKS: Array<[share: number, name: string, trick: Trick]> = [
  [40, 'spoilt body', spoilBody],
  [8, 'broken body', breakBody],
  [4, 'long body', lengthenBody],
  [10, 'ignored field', addIgnoredField],
  [4, 'field twice', repeatField],
  [12, 'odd id', oddId],
  [10, 'odd query', oddQuery],
  [5, 'content type', oddContentType],
  [5, 'odd method', oddMethod],
  [5, 'odd path', oddPath],
  [8, 'odd header', oddHeader],
  [4, 'odd wire', oddWire],
  [3, 'chunked body', chunkBody],
  [2, 'cut short', cutShort],
];
const ALL_SHARES = TRICKS.reduce((sum, [share]) => sum + share, 0);

function applyTrick(request: FuzzRequest, dice: Dice, known: Known): void {
  let place = dice.below(ALL_SHARES);
  for (const [share, name, trick] of TRICKS) {
    place -= share;
    if (place >= 0) continue;
    request.trick = name;
    trick(request, dice, known);
    return;
  }
}

function spoilBody(request: FuzzRequest, dice: Dice): void {
  const { body: schema } = request.operation;
  if (!schema) return;
  request.value = spoilt(schema, request.value, dice);
  request.body = Buffer.from(JSON.stringify(request.value) ?? '');
  if (!isObject(request.value)) request.refusedFor ??= 'the body is no object';
  else if (holdsUncleanText(request.value)) request.refusedFor ??= 'a text is not clean';
  else if (!fits(schema, request.value)) request.refusedFor ??= 'the schema says so';
  if (request.body.length > 65_536) request.refusedFor ??= 'the body is too long';
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function breakBody(request: FuzzRequest, dice: Dice): void {
  const whole = request.body;
  request.value = undefined;
  request.body =
    whole && dice.chance(0.3) ? whole.subarray(0, dice.below(whole.length)) : dice.pick(BROKEN_BODIES);
  if (request.operation.body) request.refusedFor ??= 'the body is no JSON object';
  // Where no body is asked for, one that cannot be read is refused by rules of its own.
  else request.isDocumented = false;
}

function lengthenBody(request: FuzzRequest): void {
  if (!request.body) return;
  request.body = Buffer.concat([request.body, Buffer.alloc(65_537 - request.body.length, ' ')]);
  request.refusedFor ??= 'the body is over 64 KiB';
}

function addIgnoredField(request: FuzzRequest, dice: Dice): void {
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

/** Of a field given twice the last counts. */
function repeatField(request: FuzzRequest, dice: Dice): void {
  const text = request.body?.toString();
  const names = isObject(request.value) ? Object.keys(request.value as object) : [];
  if (!text || names.length === 0) return;
  request.body = Buffer.from(
    `{${JSON.stringify(dice.pick(names))}:${JSON.stringify(dice.pick(ODD_TEXTS))},${text.slice(1)}`,
  );
}

function oddId(request: FuzzRequest, dice: Dice): void {
  const names = Object.keys(request.parameters);
  if (names.length === 0) return;
  const name = dice.pick(names);
  const own = request.parameters[name] as string;
  const odd = dice.pick([
    own.toUpperCase(),
    own.slice(1),
    `${own} `,
    `{${own}}`,
    own.replaceAll('-', ''),
    `${own}\n`,
    '0',
    '-1',
    '..',
    ...ODD_TEXTS,
    ...UNCLEAN_TEXTS,
  ]);
  const [path = '', query] = request.target.split('?');
  // An empty or dotted id is another path.
  request.isDocumented = !/^\.*$/.test(odd);
  request.target = `${path.replace(escaped(own), () => escaped(odd))}${query === undefined ? '' : `?${query}`}`;
  if (odd !== own && name !== 'cardDesignID' && name !== 'fileType' && request.operation.door !== 'open')
    request.refusedFor ??= 'there is no such id';
}

function oddQuery(request: FuzzRequest, dice: Dice, known: Known): void {
  const { query } = request.operation;
  const parameter = query.length > 0 && dice.chance(0.8) ? dice.pick(query) : undefined;
  const text = dice.pick([
    ...ODD_TEXTS,
    ...UNCLEAN_TEXTS,
    '0',
    '-1',
    '1.5',
    '1e3',
    '999999999999999',
    '101',
    '2020-13-01',
    '%',
  ]);
  const others = validQuery(request.operation, dice, known).filter(([name]) => name !== parameter?.name);
  const all: Array<[string, string]> = [...others, [parameter?.name ?? '__proto__', text]];
  if (dice.chance(0.1)) all.push([parameter?.name ?? 'a', 'again']);
  request.target = targetOf(request.operation, request.parameters, all);
  const { type } = parameter?.schema ?? {};
  const asRead = type === 'integer' && /^\d{1,15}$/.test(text) ? Number(text) : text.toWellFormed();
  if (parameter && !fits(parameter.schema, asRead) && request.operation.door !== 'open')
    request.refusedFor ??= `${parameter.name} breaks its rule`;
}

function oddContentType(request: FuzzRequest, dice: Dice): void {
  if (request.body === undefined) return;
  request.headers.push(['content-type', Buffer.from(dice.pick(CONTENT_TYPES)).toString('latin1')]);
  request.isDocumented = request.operation.body !== undefined;
  request.refusedFor ??= 'the content type is not JSON';
}

function oddMethod(request: FuzzRequest, dice: Dice): void {
  request.method = dice.pick(ODD_METHODS);
  request.isDocumented = false;
  // HEAD is GET without the body, for whoever may look.
  if (request.method === 'HEAD') request.refusedFor = CERTAIN[request.caller];
  else request.refusedFor ??= 'the method is none of this path';
}

function oddPath(request: FuzzRequest, dice: Dice): void {
  const { target } = request;
  const ways = [
    () => target.replace(/\/(?=\?|$)/, ''),
    () => target.replace('/', '//'),
    () => target.toUpperCase(),
    () => `${target.split('?')[0]}/x`,
    () => `http://evil.example${target}`,
    () => target.replace('api', '%61pi'),
    () => `/.${target}`,
    () => `${target}#x`,
  ];
  request.target = dice.chance(0.6) ? dice.pick(ODD_TARGETS) : dice.pick(ways)();
  request.isDocumented = false;
  // Where it leads now, the key may be the right one, and none may be needed.
  request.refusedFor = undefined;
}

function oddHeader(request: FuzzRequest, dice: Dice): void {
  const [name, value] = dice.pick(ODD_HEADERS);
  request.headers = [...request.headers.filter(([other]) => other !== name), [name, value]];
  // Headers can close the door (a page from elsewhere, another cookie) or the connection.
  request.isDocumented = false;
}

function oddWire(request: FuzzRequest, dice: Dice): void {
  request.wire = dice.pick(ODD_WIRE);
  request.isDocumented = false;
}

/** The same bytes without their length in front. */
function chunkBody(request: FuzzRequest, dice: Dice): void {
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

function cutShort(request: FuzzRequest): void {
  request.delivery = 'cut';
}

/** The bytes as they go over the wire. */
export function bytesOf({ method, target, headers, body, wire }: FuzzRequest, host: string): Buffer {
  const isChunked = headers.some(([name, value]) => name === 'transfer-encoding' && value === 'chunked');
  const lines = [
    ['host', host] as const,
    ...headers,
    ...(body && !isChunked ? [['content-length', String(body.length)] as const] : []),
  ];
  const head = [`${method} ${target} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)].join(
    '\r\n',
  );
  return Buffer.concat([
    Buffer.from(`${wire ? wire(head) : head}\r\n\r\n`, 'latin1'),
    body ?? Buffer.alloc(0),
  ]);
}

const SECRET_HEADERS = /^(x-payments-api-key|x-network-key|cookie|x-csrf-token)$/;
const quote = (text: string): string =>
  `$'${text.replace(/[\\']/g, '\\$&').replace(/[^ -~]/g, (sign) => [...Buffer.from(sign)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''))}'`;

/** A line for a shell that sends the same again; keys are left to whoever runs it. */
export function shellLine(request: FuzzRequest, url: string): string {
  const headers = request.headers.map(
    ([name, value]) => [name, SECRET_HEADERS.test(name) ? '…' : value] as const,
  );
  const masked = { ...request, headers };
  const isPlain =
    !request.wire &&
    !headers.some(([name]) => name === 'transfer-encoding') &&
    /^[A-Z]+$/.test(request.method);
  if (!isPlain) {
    const { hostname, port, host } = new URL(url);
    return `printf %b ${quote(bytesOf(masked, host).toString('latin1').slice(0, 3_000))} | nc ${hostname} ${port}`;
  }
  const shown = headers.map(([name, value]) => ` -H ${quote(`${name}: ${value}`)}`).join('');
  const body =
    request.body === undefined ? '' : ` --data-binary ${quote(request.body.toString().slice(0, 3_000))}`;
  return `curl -i --path-as-is -X ${request.method}${shown}${body} ${quote(url + request.target)}`;
}
