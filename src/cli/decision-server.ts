import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MAX_TIMEOUT_MS, REQUEST_KINDS, requestName } from '../decisions/decision.ts';
import type { StoredEvent } from '../events/event.ts';
import { parseTimestamp } from '../kernel/calendar.ts';
import { formatAmount } from '../kernel/money.ts';
import type { Sender } from '../outbound/send-request.ts';

/** How questions are answered: always the same, never, or by the server at a URL. */
export type Rule = 'approve' | 'decline' | 'timeout' | { url: string };

/** An answer, or why there is none. */
export type Answered = ({ statusCode: number; body: string } | { error: string }) & { durationMs: number };

export interface DecisionServer {
  port: number;
  close(): void;
}

/** More than a question takes, and than Emboss reads of an answer. */
const MOST_BYTES = 65_536;
const PASSED_ON = ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
const QUESTIONS: readonly string[] = REQUEST_KINDS.map(requestName);
const JSON_HEADERS = { 'content-type': 'application/json' };

/** Answers the questions of a server on this machine, and reports each one. */
export async function startDecisionServer(
  rule: Rule,
  sender: Sender,
  onAnswered: (question: StoredEvent, answered: Answered) => void,
): Promise<DecisionServer> {
  const server = createServer((request, response) => {
    const startMs = performance.now();
    const handle = async () => {
      const body = await readBody(request);
      const question = questionIn(body);
      if (!question) return void response.writeHead(400).end();
      const answer = await answerBy(rule, sender, { question, request, response, body });
      onAnswered(question, { ...answer, durationMs: Math.round(performance.now() - startMs) });
    };
    // The client closed the connection.
    handle().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MOST_BYTES) throw new Error('too long');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

/** Undefined: the request is not from Emboss. */
function questionIn(body: string): StoredEvent | undefined {
  try {
    const { eventId: id, eventName, created, data } = JSON.parse(body);
    const createdMs = parseTimestamp(created);
    if (!QUESTIONS.includes(eventName) || createdMs === undefined) return undefined;
    // A one-time password names no card.
    const cardId = typeof data.card_id === 'string' ? data.card_id : null;
    return {
      id,
      eventType: 'decision',
      eventName,
      cardId,
      cardSequence: null,
      data,
      createdAt: new Date(createdMs),
    };
  } catch {
    return undefined;
  }
}

interface Exchange {
  question: StoredEvent;
  request: IncomingMessage;
  response: ServerResponse;
  body: string;
}

type Answer = { statusCode: number; body: string } | { error: string };

async function answerBy(rule: Rule, sender: Sender, exchange: Exchange): Promise<Answer> {
  const { question, response } = exchange;
  if (rule === 'timeout') {
    await once(response, 'close');
    return { error: 'no answer' };
  }
  if (typeof rule === 'object') return relay(rule.url, sender, exchange);
  const body = JSON.stringify(answerTo(question, rule));
  response.writeHead(200, JSON_HEADERS).end(body);
  return { statusCode: 200, body };
}

/**
 * For a one-time password the status is the answer: the code was sent, because the terminal shows it. A balance inquiry
 * shows the card's available credit; a merchant that declines everything has nothing available.
 */
function answerTo({ eventName, data }: StoredEvent, rule: 'approve' | 'decline'): object {
  if (eventName !== requestName('balance')) return { decision: rule === 'approve' ? 'APPROVE' : 'DECLINE' };
  const { available_credit: available, bill_currency: currency } = data;
  return { available_amount: rule === 'approve' ? available : formatAmount(0n, String(currency)) };
}

/** Passes the request on as it is, and its answer back. Without one, Emboss gets a 502, or waits as it would have. */
async function relay(url: string, sender: Sender, { request, response, body }: Exchange): Promise<Answer> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const result = await sender.sendRequest({
    url,
    headers: Object.fromEntries(PASSED_ON.map((name) => [name, String(request.headers[name] ?? '')])),
    body,
    reach: 'anywhere',
    // Emboss stops waiting before.
    timeoutMs: 2 * MAX_TIMEOUT_MS,
    signal: gone.signal,
    wholeAnswerBytes: MOST_BYTES,
  });
  if (gone.signal.aborted) return { error: 'no answer in time' };
  if ('error' in result) {
    response.writeHead(502).end();
    return result;
  }
  const { statusCode, answer, answerStart } = result;
  if (statusCode === 200 && !answer) {
    response.writeHead(502).end();
    return { error: 'the answer is too long' };
  }
  // Emboss reads no other answer than a 200.
  response.writeHead(statusCode, JSON_HEADERS).end(answer);
  return { statusCode, body: answer?.toString() ?? answerStart };
}
