import type { Readable } from 'node:stream';

/** Bytes of a file, both ends inclusive and within the file. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Whoever opens a file reads `content` to its end or destroys it. */
export interface OpenedFile {
  content: Readable;
  /** Size of the whole file, also where `content` is a part of it. */
  bytes: number;
}

/** Where report files are kept. One face for a disk and a bucket. */
export interface ReportStorage {
  /** All of it or nothing; replaces what was there. */
  save(key: string, content: Readable): Promise<{ bytes: number }>;
  /** Undefined where there is no such file. */
  open(key: string, range?: ByteRange): Promise<OpenedFile | undefined>;
  /** Bytes of the file; undefined where there is no such file. */
  size(key: string): Promise<number | undefined>;
  /** A file that is not there is removed already. */
  remove(key: string): Promise<void>;
  /** A link of the storage's own that needs nothing of us (S3), for so many seconds; undefined: serve it ourselves. */
  presign: ((key: string, fileName: string, seconds: number) => Promise<string>) | undefined;
}

const KEY = /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*$/;
const LONGEST_KEY = 255;

/**
 * Keys are ours and name no file of anybody else: words joined by slashes. None begins with a dot, so that no key climbs
 * out of its directory, and none needs an escape in an address.
 */
export function requireKey(key: string): void {
  if (key.length > LONGEST_KEY || !KEY.test(key))
    throw new Error('storage: the key of a file is not well formed');
}
