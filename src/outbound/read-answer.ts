import type { IncomingMessage } from 'node:http';
import { maskCardNumbers } from '../kernel/card-numbers.ts';

const READ_BYTES = 8 * 1024;
/** Node hands out each chunk by itself, and one of a single byte costs as much as one of a kilobyte. */
const READ_CHUNKS = 128;

interface Body {
  /** The first `startBytes`, safe to store and show. */
  answerStart: string;
  /** Undefined if the body broke off. A body without a length that a reset breaks off is `complete`, as in Node. */
  end: 'complete' | 'too long' | undefined;
  /** The whole body, if its size was given and it was not longer. */
  answer: Buffer | undefined;
}

/**
 * Reads a response to its end, so that the connection can be reused. A response that is longer than `wholeBytes`, or
 * than 8 kB if that is not given, or that comes in more than 128 chunks, is cut, which closes its connection. Of a
 * response that breaks off, the received part is in `answerStart`.
 */
export function readAnswer(
  response: IncomingMessage,
  wholeBytes: number | undefined,
  startBytes: number,
  done: (body: Body) => void,
): void {
  const keptBytes = Math.max(wholeBytes ?? 0, startBytes);
  const kept: Buffer[] = [];
  let sizeBytes = 0;
  let chunks = 0;
  let end: Body['end'];
  response.on('data', (chunk: Buffer) => {
    if (sizeBytes < keptBytes) kept.push(chunk.subarray(0, keptBytes - sizeBytes));
    sizeBytes += chunk.length;
    if (sizeBytes <= (wholeBytes ?? READ_BYTES) && ++chunks <= READ_CHUNKS) return;
    end = 'too long';
    response.destroy();
  });
  response.on('end', () => {
    end ??= 'complete';
  });
  response.on('error', () => {});
  response.on('close', () => {
    const bytes = Buffer.concat(kept);
    const isWhole = wholeBytes !== undefined && end === 'complete';
    done({
      answerStart: cleanText(bytes.subarray(0, startBytes), startBytes),
      end,
      answer: isWhole ? bytes : undefined,
    });
  });
}

/** Cleans the text for a database and a terminal. Drops a character that the cut split. */
function cleanText(bytes: Buffer, startBytes: number): string {
  const isCut = bytes.length === startBytes;
  const text = isCut ? new TextDecoder().decode(bytes, { stream: true }) : bytes.toString();
  return maskCardNumbers(text.replaceAll(/\p{Cc}+/gu, ' ').trim());
}
