import { formatTimestamp } from '../kernel/calendar.ts';
import { bytesOf, type Secret } from '../kernel/secret.ts';
import type { Sender } from '../outbound/send-request.ts';
import { signatureHeaders } from '../outbound/sign.ts';
import {
  type DecisionEndpoint,
  type DecisionRequest,
  type RequestingProgram,
  type RequestOutcome,
  requestName,
} from './decision.ts';
import { RESPONSE_BYTES, type ReadResponse, readResponse } from './read-response.ts';

const START_BYTES = 2_048;
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'Emboss-Decisions' };
/** The receiver or something in front of it is restarting. */
const WORTH_RETRYING = new Set([502, 503, 504]);

export interface Attempt {
  outcome: RequestOutcome;
  /** Undefined without a usable response. */
  read: ReadResponse | undefined;
  /** Another attempt may succeed. */
  mayRetry: boolean;
  statusCode: number | null;
  /** Why there is no usable response, in fixed words. */
  error: string | null;
  /** The start of an unusable response, without card numbers; null if there was none. */
  answerStart: string | null;
}

/** Sends a signed request once and reads the response. Never throws. */
export async function sendDecisionRequest(
  { sendRequest }: Sender,
  program: RequestingProgram,
  { url }: Pick<DecisionEndpoint, 'url'>,
  request: DecisionRequest,
  secrets: readonly Secret[],
  { timeoutMs, isFresh = false, signal }: { timeoutMs: number; isFresh?: boolean; signal?: AbortSignal },
): Promise<Attempt> {
  const body = bodyOf(request);
  // Real time, independent of program time: receivers refuse old timestamps.
  const timestamp = Math.floor(Date.now() / 1000);
  const result = await sendRequest({
    url,
    headers: { ...HEADERS, ...signatureHeaders({ id: request.eventId, timestamp, body, secrets }) },
    body,
    reach: program.mode,
    timeoutMs,
    wholeAnswerBytes: RESPONSE_BYTES,
    startBytes: START_BYTES,
    isFresh,
    isOnce: true,
    ...(signal && { signal }),
  }).finally(() => body.fill(0));
  if ('error' in result) {
    const { error, kind } = result;
    const mayRetry = kind === 'unreachable';
    return { outcome: kind, read: undefined, mayRetry, statusCode: null, error, answerStart: null };
  }
  const { statusCode, answer } = result;
  // The response to a one-time password may repeat it.
  const answerStart = request.kind === 'otp' ? null : result.answerStart || null;
  if (statusCode !== 200)
    return {
      outcome: 'unreachable',
      read: undefined,
      mayRetry: WORTH_RETRYING.has(statusCode),
      statusCode,
      error: 'the response status is not 200',
      answerStart,
    };
  const read = readResponse(answer, request, program.bin);
  const got = { mayRetry: false, statusCode };
  return 'error' in read
    ? { ...got, outcome: 'invalid', read: undefined, error: read.error, answerStart }
    : { ...got, outcome: read.outcome, read, error: null, answerStart: null };
}

const OTP = '"otp":"';
const NO_OTP = '000000';

/** The envelope of webhooks, as bytes: a one-time password must not stay in memory, and a string would. */
function bodyOf(request: DecisionRequest): Buffer {
  const { kind, eventId, createdAt, data } = request;
  const otp = request.kind === 'otp' ? { otp: NO_OTP } : {};
  const text = JSON.stringify({
    eventType: 'decision',
    eventName: requestName(kind),
    eventId,
    created: formatTimestamp(createdAt),
    data: { ...otp, ...data },
  });
  const body = Buffer.from(text);
  // The first field of `data`; all before it is ASCII.
  if (request.kind === 'otp') bytesOf(request.otp).copy(body, text.indexOf(OTP) + OTP.length);
  return body;
}
