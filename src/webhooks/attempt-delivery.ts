import type { Secret } from '../kernel/secret.ts';
import { bodyOf, type StoredEvent } from './event-body.ts';
import type { Reach, Sender, SendResult } from './sending/send-request.ts';
import { signatureHeaders } from './sign.ts';

export const TIME_LIMIT_MS = 15_000;
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'Emboss-Webhooks' };

/** Adds what is made anew for each attempt: the link of a file lives for minutes only. */
export type CompleteFileData = (programId: string, referenceId: string) => Promise<Record<string, unknown>>;

export interface Target {
  programId: string;
  url: string;
  reach: Reach;
  /** All that sign now, the newest first. */
  secrets: readonly Secret[];
}

/** Where nothing was sent, because of us, `unsent` is why. */
export type AttemptResult = SendResult & { unsent?: unknown };

/** One signed request; what went wrong with it is in the result. */
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
  // Real time, whatever the program's clock says: receivers refuse what is old.
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
