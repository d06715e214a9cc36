import { bytesOf } from './bytes.ts';
import type { Dice } from './dice.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { type Judge, parse, wrongError } from './judge.ts';
import { kindOf, type Operation } from './operations.ts';
import { knownTo, type Pool } from './pool.ts';
import { makeRequest } from './requests.ts';
import { oddId, oddQuery } from './spoil-head.ts';
import type { Stage, Tenant } from './stage.ts';
import type { Reply } from './wire.ts';

/** What is not HTTP: it ends the connection, and nothing after it is done. */
const NO_HTTP = [
  'what is this\r\n\r\n',
  'GET / HTTP/9.9\r\nhost: a\r\n\r\n',
  'GET / HTTP/1.1\r\nhost: a\r\nno colon here\r\n\r\n',
  'GET / HTTP/1.1\r\nhost: a\r\nx-nul: a\0b\r\n\r\n',
  'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n',
  'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
  'CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n',
] as const;
const MOST = 6;
const LONGEST_TARGET = 8_000;

export interface Packet {
  requests: FuzzRequest[];
  /** Sent before the request with this index. */
  bad: { text: string; index: number } | undefined;
}

/** Reads that write: the audit of a reveal may commit after the connection has ended. */
const WRITING = ['requestFile', 'revealCredentials'];

/** They run concurrently, so none may change the answer of another. */
const mayGoTogether = (operation: Operation): boolean =>
  operation.method === 'GET' &&
  !WRITING.includes(kindOf(operation)) &&
  !operation.template.includes('/session/');

/** A few requests for one packet: most of them valid, all of them reads. */
export function makePacket(
  operations: Operation[],
  pool: Pool,
  stage: Stage,
  other: Tenant,
  dice: Dice,
): Packet {
  const reads = operations.filter(mayGoTogether);
  const known = knownTo(pool, stage, dice);
  const made = Array.from({ length: 2 + dice.below(MOST - 1) }, () => {
    const request = makeRequest(dice.pick(reads), pool, stage, other, dice, true);
    const way = dice.below(4);
    if (way === 0) oddId(request, dice);
    if (way === 1) oddQuery(request, dice, known);
    return Object.assign(request, { trick: 'together', delivery: 'whole' as const });
  });
  // Oversized heads are covered by the non-HTTP inputs.
  const requests = made.filter(({ target }) => target.length < LONGEST_TARGET);
  const index = dice.below(requests.length + 1);
  return { requests, bad: dice.chance(0.4) ? { text: dice.pick(NO_HTTP), index } : undefined };
}

/** The last request closes the connection, so that surplus answers are detected; non-HTTP bytes close it anyway. */
export function bytesOfPacket({ requests, bad }: Packet, host: string): Buffer {
  const parts = requests.map((request, index) =>
    bytesOf(
      !bad && index === requests.length - 1
        ? { ...request, headers: [...request.headers, ['connection', 'close']] }
        : request,
      host,
    ),
  );
  if (bad) parts.splice(bad.index, 0, Buffer.from(bad.text, 'latin1'));
  return Buffer.concat(parts);
}

/** The requests of a packet that are answered: all, or those before the one that is not HTTP. */
export const answeredOf = ({ requests, bad }: Packet): FuzzRequest[] => requests.slice(0, bad?.index);

/**
 * Each answer is the one to its own request. What is not HTTP ends the connection: then answers that were under way may
 * be missing, and its refusal comes only after all of them.
 */
export function judgePacket(packet: Packet, replies: Reply[], judge: Judge): string[] {
  const answered = answeredOf(packet);
  const most = answered.length + (packet.bad ? 1 : 0);
  if (replies.length > most || (!packet.bad && replies.length < most))
    return [
      `${most} answers were due, and ${replies.map(({ status }) => status).join(', ')} came (${JSON.stringify(packet.bad)?.slice(0, 80)})`,
    ];
  const findings = answered.slice(0, replies.length).flatMap((request, index) => {
    const reply = replies[index] as Reply;
    return [...judge(request, reply), ...ofAnother(request, reply)].map(
      (what) => `answer ${index + 1}: ${what}`,
    );
  });
  const refusal = replies[answered.length];
  if (refusal && ![400, 405, 431].includes(refusal.status))
    findings.push(`what is not HTTP is answered ${refusal.status}`);
  if (refusal) findings.push(...wrongError(refusal));
  const ids = new Set(replies.map(({ headers }) => headers.get('x-request-id')));
  if (ids.size !== replies.length) findings.push('two answers have one x-request-id');
  return findings;
}

function ofAnother(request: FuzzRequest, { status, text }: Reply): string[] {
  if (kindOf(request.operation) !== 'retrieveCard' || status !== 200) return [];
  const { id } = parse(text) as { id: string };
  return id === request.parameters['cardId'] ? [] : [`it is that of card ${id}`];
}
