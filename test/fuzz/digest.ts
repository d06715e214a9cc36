import { createHash } from 'node:crypto';
import type { FuzzRequest } from './fuzz-request.ts';

const SECRET_HEADERS = /^(x-payments-api-key|x-network-key|cookie|x-csrf-token)$/;
/** Ids, card numbers, times, signatures and ports, whole or in parts: the server makes them up anew in every run. */
const MADE = /[0-9a-f]{8}|\d{8}|20\d\d-\d\d-\d\dT|127\.0\.0\.1|:\d{5}\/|^[\w-]{30,}$/i;
const JSON_TEXT = /("(?:cvv|code|enrolment)":\s*)?"((?:[^"\\]|\\.)*)("|$)/gs;

const masked = (text: string): string => (MADE.test(text) ? '…' : text);
const maskedTarget = (target: string): string =>
  target
    .split(/(?<=[/?&=#])/)
    .map(masked)
    .join('');
const maskedBody = (body: string): string =>
  body.replace(JSON_TEXT, (_all, isSecret: string | undefined, text: string, end: string) =>
    // Of a body that breaks off, the last text may be the beginning of an id.
    isSecret || (end === '' && /^[0-9a-f-]*$/i.test(text)) ? '"…"' : `"${masked(text)}"`,
  );

/** A request as every run of its seed sends it. */
function shapeOf({ trick, caller, method, target, headers, body, delivery }: FuzzRequest): string {
  const lines = headers.map(([name, value]) => (SECRET_HEADERS.test(name) ? name : `${name}: ${value}`));
  return [
    `${trick}, ${caller}, ${delivery}`,
    `${method} ${maskedTarget(target)}`,
    ...lines,
    maskedBody(body?.toString('latin1') ?? ''),
  ].join('\n');
}

export interface Digest {
  add(request: FuzzRequest): void;
  text(): string;
}

export function startDigest(): Digest {
  const hash = createHash('sha256');
  return {
    add: (request) => void hash.update(`${shapeOf(request)}\0`),
    text: () => hash.copy().digest('hex'),
  };
}
