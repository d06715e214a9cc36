import type { StoredEvent } from '../events/event.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Reach, Sender, SendResult } from '../outbound/send-request.ts';
import { signatureHeaders } from '../outbound/sign.ts';
import { bodyOf } from './event-body.ts';

export const TIME_LIMIT_MS = 15_000;
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'Emboss-Webhooks' };

/** Creates the data that each attempt needs again: the link to a file is valid for minutes only. */
export type CompleteFileData = (programId: string, referenceId: string) => Promise<Record<string, unknown>>;

export interface Target {
  programId: string;
  url: string;
  reach: Reach;
  /** All secrets that sign now, newest first. */
  secrets: readonly Secret[];
}

/** If our side failed and nothing was sent, `unsent` is the reason. */
export type AttemptResult = (SendResult | { error: string; durationMs: number }) & { unsent?: unknown };

/** Sends one signed request. Failures are part of the result. */
export async function attemptDelivery(
  { sendRequest }: Sender,
  target: Target,
  event: StoredEvent,
  completeFileData: CompleteFileData,
  signal?: AbortSignal,
  timeoutMs = TIME_LIMIT_MS,
): Promise<AttemptResult> {
  let body: string;
  try {
    body = bodyOf(await completed(target.programId, event, completeFileData));
  } catch (unsent) {
    return { error: 'no link to the report file could be created', durationMs: 0, unsent };
  }
  // Real time, independent of program time: receivers refuse old timestamps.
  const timestamp = Math.floor(Date.now() / 1000);
  return sendRequest({
    url: target.url,
    headers: { ...HEADERS, ...signatureHeaders({ id: event.id, timestamp, body, secrets: target.secrets }) },
    body,
    reach: target.reach,
    timeoutMs,
    ...(signal && { signal }),
  });
}

async function completed(
  programId: string,
  event: StoredEvent,
  completeFileData: CompleteFileData,
): Promise<StoredEvent> {
  if (event.eventType !== 'files') return event;
  return { ...event, data: await completeFileData(programId, String(event.data['reference_id'])) };
}
