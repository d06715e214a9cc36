import { openApiCheck } from '../support/openapi/openapi-check.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { isConfirmed, type Operation } from './operations.ts';
import type { Reply } from './wire.ts';

/** Codes of the error table that differ from the HTTP status. */
const CODES: Record<number, number[]> = { 400: [41, 43, 54, 59, 62, 404] };

export type Judge = (request: FuzzRequest, reply: Reply) => string[];

export const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** These hold for every answer. */
export function createJudge(documents: unknown[], secrets: () => string[]): Judge {
  const check = openApiCheck(...documents);
  return (request, reply) => {
    const { operation, refusedFor, isDocumented } = request;
    const findings: string[] = [];
    if (reply.status >= 500) findings.push(`answered ${reply.status}: ${reply.text.slice(0, 300)}`);
    if (reply.status >= 400 && request.method !== 'HEAD') findings.push(...wrongError(reply));
    if (!reply.headers.has('x-request-id')) findings.push('the answer has no x-request-id');
    if (refusedFor !== undefined && reply.status < 400)
      findings.push(`answered ${reply.status} although ${refusedFor}`);
    if (isDocumented && !isOfTheDoor(operation, reply.status))
      try {
        check(operation.method, documentedPath(operation), reply.status, parse(reply.text));
      } catch (error) {
        findings.push((error as Error).message);
      }
    const reported = secrets().filter((secret) => reply.status >= 400 && reply.text.includes(secret));
    if (reported.length > 0) findings.push('the error repeats a secret');
    return findings;
  };
}

/** What any request may be answered before an operation has a say: a line that is too long, a program that is not there. */
const isOfTheDoor = (operation: Operation, status: number): boolean =>
  status === 431 ||
  (operation.id.startsWith('console:') && (status === 404 || status === 403)) ||
  // Keys send no body there, so the document lists no refusal of one.
  (isConfirmed(operation) && (status === 400 || status === 413));

/** The public operation behind a route of the console API. */
const documentedPath = ({ template }: Operation): string =>
  template
    .replace(/^\/console\/api\/programs\/\{programId\}\/(merchant|sandbox)\//, '/api/v1/$1/')
    .replaceAll(/[{}]/g, '');

export function wrongError({ status, headers, text }: Reply): string[] {
  const body = parse(text) as { code?: unknown; message?: unknown; status?: unknown } | undefined;
  const wrong = (what: string) => [`the error of ${status} ${what}: ${text.slice(0, 300)}`];
  if (!headers.get('content-type')?.startsWith('application/json')) return wrong('is not JSON');
  if (typeof body !== 'object' || body === null) return wrong('cannot be read');
  if (Object.keys(body).join() !== 'code,message,status') return wrong('has other fields');
  if (body.status !== 'failed' || typeof body.message !== 'string' || body.message === '')
    return wrong('is not ours');
  if (body.code !== status && !CODES[status]?.includes(body.code as number))
    return wrong('has a code of no table');
  return [];
}
