import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FileStorage } from './storage.ts';

/**
 * A file sealed with a key of its own, in blocks of AES-256-GCM: each can be opened alone, so reading can start anywhere.
 * The nonce is the number of the block and whether it is the last one, so blocks that were moved or cut off do not open.
 */
const BLOCK_BYTES = 65_536;
const TAG_BYTES = 16;
const SEALED_BLOCK_BYTES = BLOCK_BYTES + TAG_BYTES;
const CIPHER = 'aes-256-gcm';

/** The bytes are the caller's to seal and to store. A key seals one file only. */
export const newFileKey = (): Buffer => randomBytes(32);

/** Stores the content sealed, completely or not at all. */
export const saveSealed = (
  storage: FileStorage,
  storageKey: string,
  key: Buffer,
  content: AsyncIterable<Buffer>,
): Promise<{ bytes: number }> =>
  storage.save(storageKey, Readable.from(sealBlocks(createSecretKey(key), content), { objectMode: false }));

async function* sealBlocks(key: KeyObject, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  let [filled, number] = [0, 0];
  try {
    for await (const chunk of content)
      for (let at = 0; at < chunk.length; ) {
        // The last block is known at the end only.
        if (filled === BLOCK_BYTES) {
          yield sealBlock(key, number++, false, block);
          filled = 0;
        }
        const copied = chunk.copy(block, filled, at);
        filled += copied;
        at += copied;
      }
    yield sealBlock(key, number, true, block.subarray(0, filled));
  } finally {
    block.fill(0);
  }
}

function sealBlock(key: KeyObject, number: number, isLast: boolean, plain: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonceOf(number, isLast));
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(number, 4);
  nonce.writeUInt32BE(isLast ? 1 : 0, 8);
  return nonce;
}

/**
 * The content from a position on. Each chunk is overwritten once the next one is requested. Throws if the file does not
 * exist, was altered or was cut off.
 */
export async function* openSealed(
  storage: FileStorage,
  storageKey: string,
  fileKey: Buffer,
  from = 0,
): AsyncGenerator<Buffer> {
  const key = createSecretKey(fileKey);
  const size = await storage.size(storageKey);
  // The block of the byte before it: none may follow the last byte.
  let number = Math.max(0, Math.ceil(from / BLOCK_BYTES) - 1);
  const start = number * SEALED_BLOCK_BYTES;
  const opened = size === undefined || start >= size ? undefined : { start, end: size - 1 };
  const file = opened && (await storage.open(storageKey, opened));
  if (!file || size === undefined) throw new Error('a sealed file is missing, or ends before its position');
  let skipped = from - number * BLOCK_BYTES;
  for await (const sealed of inBlocks(file.content)) {
    const isLast = (number + 1) * SEALED_BLOCK_BYTES >= size;
    const plain = openBlock(key, number++, isLast, sealed);
    try {
      yield plain.subarray(skipped);
    } finally {
      plain.fill(0);
    }
    skipped = 0;
    if (isLast) return;
  }
  throw new Error('a sealed file was cut off');
}

function openBlock(key: KeyObject, number: number, isLast: boolean, sealed: Buffer): Buffer {
  const end = Math.max(0, sealed.length - TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, key, nonceOf(number, isLast), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(sealed.subarray(end));
    const plain = decipher.update(sealed.subarray(0, end));
    decipher.final();
    return plain;
  } catch {
    throw new Error(`block ${number} of a sealed file was altered and cannot be opened`);
  }
}

async function* inBlocks(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const block = Buffer.allocUnsafeSlow(SEALED_BLOCK_BYTES);
  let filled = 0;
  for await (const chunk of content)
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(block, filled, at);
      filled += copied;
      at += copied;
      if (filled < SEALED_BLOCK_BYTES) continue;
      yield block;
      filled = 0;
    }
  if (filled > 0) yield block.subarray(0, filled);
}
