import { formatTimestamp } from '../kernel/calendar.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Sender } from '../outbound/send-request.ts';
import { signatureHeaders } from '../outbound/sign.ts';
import type { AskedProgram, DecisionEndpoint, DecisionOutcome, Question } from './decision.ts';
import { ANSWER_BYTES, type ReadAnswer, readAnswer } from './read-answer.ts';

const HEADERS = { 'content-type': 'application/json', 'user-agent': 'Emboss-Decisions' };
/** The receiver or something in front of it is restarting. */
const WORTH_RETRYING = new Set([502, 503, 504]);

export interface Attempt {
  outcome: DecisionOutcome;
  /** Undefined unless the merchant approved or declined. */
  read: ReadAnswer | undefined;
  /** Another attempt may succeed. */
  mayRetry: boolean;
  statusCode: number | null;
  /** Why there is no usable answer, in fixed words. */
  error: string | null;
  answerStart: string | null;
}

/** Sends a signed question once and reads the answer. Never throws. */
export async function sendQuestion(
  { sendRequest }: Sender,
  program: AskedProgram,
  { url }: Pick<DecisionEndpoint, 'url'>,
  question: Question,
  secrets: readonly Secret[],
  { timeoutMs, isFresh = false, signal }: { timeoutMs: number; isFresh?: boolean; signal?: AbortSignal },
): Promise<Attempt> {
  const body = bodyOf(question);
  // Real time, independent of program time: receivers refuse old timestamps.
  const timestamp = Math.floor(Date.now() / 1000);
  const result = await sendRequest({
    url,
    headers: { ...HEADERS, ...signatureHeaders({ id: question.eventId, timestamp, body, secrets }) },
    body,
    reach: program.mode,
    timeoutMs,
    wholeAnswerBytes: ANSWER_BYTES,
    isFresh,
    isOnce: true,
    ...(signal && { signal }),
  });
  if ('error' in result) {
    const { error, kind } = result;
    const mayRetry = kind === 'unreachable';
    return { outcome: kind, read: undefined, mayRetry, statusCode: null, error, answerStart: null };
  }
  const { statusCode, answerStart, answer } = result;
  if (statusCode !== 200)
    return {
      outcome: 'unreachable',
      read: undefined,
      mayRetry: WORTH_RETRYING.has(statusCode),
      statusCode,
      error: 'the response status is not 200',
      answerStart,
    };
  const read = readAnswer(answer, question, program.bin);
  const got = { mayRetry: false, statusCode, answerStart };
  return 'error' in read
    ? { ...got, outcome: 'invalid', read: undefined, error: read.error }
    : { ...got, outcome: read.outcome, read, error: null };
}

/** The envelope of webhooks. */
const bodyOf = ({ eventId, eventName, createdAt, data }: Question): string =>
  JSON.stringify({ eventType: 'decision', eventName, eventId, created: formatTimestamp(createdAt), data });
