import { CERTAIN } from './callers.ts';
import type { Dice } from './dice.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { ODD_HEADERS, ODD_METHODS, ODD_TARGETS, ODD_TEXTS, ODD_WIRE, UNCLEAN_TEXTS } from './hostile.ts';
import { escaped, targetOf, validQuery } from './targets.ts';
import { fits, type Known } from './values.ts';

/** Chosen by the caller, or our own words. */
const CHOSEN = ['cardDesignID', 'fileType', 'tokenizationId'];

export function oddId(request: FuzzRequest, dice: Dice): void {
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
  if (odd !== own && !CHOSEN.includes(name) && request.operation.api !== 'open')
    request.refusedFor ??= 'there is no such id';
}

export function oddQuery(request: FuzzRequest, dice: Dice, known: Known): void {
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
  const isTwice = dice.chance(0.1);
  if (isTwice) all.push([parameter?.name ?? 'a', 'again']);
  request.target = targetOf(request.operation, request.parameters, all);
  const { type } = parameter?.schema ?? {};
  const asRead = type === 'integer' && /^\d{1,15}$/.test(text) ? Number(text) : text.toWellFormed();
  if (request.operation.api === 'open') return;
  if (!parameter) request.refusedFor ??= 'the query has an unknown name';
  else if (isTwice) request.refusedFor ??= `${parameter.name} is given twice`;
  else if (!fits(parameter.schema, asRead)) request.refusedFor ??= `${parameter.name} breaks its rule`;
}

export function oddMethod(request: FuzzRequest, dice: Dice): void {
  request.method = dice.pick(ODD_METHODS);
  request.isDocumented = false;
  // HEAD is GET without the body, with the same permission.
  if (request.method === 'HEAD') request.refusedFor = CERTAIN[request.caller];
  else request.refusedFor ??= 'the method is none of this path';
}

export function oddPath(request: FuzzRequest, dice: Dice): void {
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

export function oddHeader(request: FuzzRequest, dice: Dice): void {
  const [name, value] = dice.pick(ODD_HEADERS);
  request.headers = [...request.headers.filter(([other]) => other !== name), [name, value]];
  // Headers can make the request refused (another origin, another cookie) or close the connection.
  request.isDocumented = false;
}

export function oddWire(request: FuzzRequest, dice: Dice): void {
  request.wire = dice.pick(ODD_WIRE);
  request.isDocumented = false;
}

export function cutShort(request: FuzzRequest): void {
  request.delivery = 'cut';
}
