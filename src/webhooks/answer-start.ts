import type { IncomingMessage } from 'node:http';

const KEPT_BYTES = 1024;
const READ_BYTES = 64 * 1024;

/**
 * The start of an answer, read to its end so that the connection can be used again; an answer that is too long to be one
 * is cut together with its connection.
 */
export function readAnswerStart(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const kept: Buffer[] = [];
    let sizeBytes = 0;
    const finish = () => resolve(cleanText(Buffer.concat(kept)));
    response.on('data', (chunk: Buffer) => {
      if (sizeBytes < KEPT_BYTES) kept.push(chunk.subarray(0, KEPT_BYTES - sizeBytes));
      sizeBytes += chunk.length;
      if (sizeBytes <= READ_BYTES) return;
      finish();
      response.destroy();
    });
    response.on('end', finish);
    response.on('error', reject);
  });
}

/** Fit for a database and a terminal. A character that the cut went through is left out. */
function cleanText(bytes: Buffer): string {
  const isCut = bytes.length === KEPT_BYTES;
  const text = isCut ? new TextDecoder().decode(bytes, { stream: true }) : bytes.toString();
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim();
}
