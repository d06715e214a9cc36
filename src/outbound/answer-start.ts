import type { IncomingMessage } from 'node:http';
import { maskCardNumbers } from '../kernel/card-numbers.ts';

const KEPT_BYTES = 1024;
const READ_BYTES = 64 * 1024;

/**
 * Returns the start of a response, but reads the response to its end, so that the connection can be reused. A response
 * that is too long is cut, which closes its connection. Of a response that breaks off, the received part counts.
 */
export function readAnswerStart(response: IncomingMessage, done: (answerStart: string) => void): void {
  const kept: Buffer[] = [];
  let sizeBytes = 0;
  response.on('data', (chunk: Buffer) => {
    if (sizeBytes < KEPT_BYTES) kept.push(chunk.subarray(0, KEPT_BYTES - sizeBytes));
    sizeBytes += chunk.length;
    if (sizeBytes > READ_BYTES) response.destroy();
  });
  response.on('error', () => {});
  response.on('close', () => done(cleanText(Buffer.concat(kept))));
}

/** Cleans the text for a database and a terminal. Drops a character that the cut split. */
function cleanText(bytes: Buffer): string {
  const isCut = bytes.length === KEPT_BYTES;
  const text = isCut ? new TextDecoder().decode(bytes, { stream: true }) : bytes.toString();
  return maskCardNumbers(text.replaceAll(/\p{Cc}+/gu, ' ').trim());
}
