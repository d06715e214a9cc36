import type { Readable } from 'node:stream';

/** A range of bytes within the file, both ends inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** The caller must read `content` to its end or destroy it. */
export interface OpenedFile {
  content: Readable;
  /** Size of the whole file, even if `content` is a part of it. */
  bytes: number;
}

/** A stored file, with the name under which it is downloaded. */
export interface NamedFile {
  storageKey: string;
  fileName: string;
}

/** Storage of the files of one feature, on a disk or in a bucket. */
export interface FileStorage {
  /** Of every file in it. */
  contentType: string;
  /** Atomic. Replaces an existing file. */
  save(key: string, content: Readable): Promise<{ bytes: number }>;
  /** Undefined if the file does not exist. */
  open(key: string, range?: ByteRange): Promise<OpenedFile | undefined>;
  /** Size in bytes; undefined if the file does not exist. */
  size(key: string): Promise<number | undefined>;
  /** Succeeds if the file does not exist. */
  remove(key: string): Promise<void>;
  /** Creates a link that the storage itself serves (S3). Undefined: this server serves the file. */
  presign: ((key: string, fileName: string, seconds: number) => Promise<string>) | undefined;
}

const KEY = /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*$/;
const LONGEST_KEY = 255;

/**
 * Keys are words joined by slashes. No word begins with a dot, so no key leaves the storage's directory. No key needs
 * escaping in a URL.
 */
export function requireKey(key: string): void {
  if (key.length > LONGEST_KEY || !KEY.test(key))
    throw new Error('storage: the key of a file is not well formed');
}
