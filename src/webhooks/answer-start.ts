import type { IncomingMessage } from 'node:http';

const KEPT_BYTES = 1024;
const READ_BYTES = 64 * 1024;

/**
 * The start of an answer, read to its end so that the connection can be used again; an answer that is too long to be one
 * is cut together with its connection.
 */
export async function readAnswerStart(response: IncomingMessage): Promise<string> {
  const kept: Buffer[] = [];
  let sizeBytes = 0;
  // Leaving the loop early destroys the response and its connection.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (sizeBytes < KEPT_BYTES) kept.push(chunk.subarray(0, KEPT_BYTES - sizeBytes));
    sizeBytes += chunk.length;
    if (sizeBytes > READ_BYTES) break;
  }
  return cleanText(Buffer.concat(kept));
}

/** Fit for a database and a terminal. A character that the cut went through is left out. */
function cleanText(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes, { stream: bytes.length === KEPT_BYTES });
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim();
}
