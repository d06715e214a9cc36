import { timingSafeEqual } from 'node:crypto';
import type { Digest } from '../kernel/digest.ts';
import { isId } from '../kernel/ids.ts';
import type { FileStorage, NamedFile } from './storage.ts';

const LINK_SECONDS = 300;

export interface LinkServices {
  storage: FileStorage;
  /** The base of every link. */
  publicUrl: string;
  digest: Digest;
}

/** A link names the file only, without program or card. */
export interface LinkedFile {
  id: string;
  fileName: string;
}

/** `expireAt` is in Unix seconds; from that moment on the link is invalid. */
export interface Link {
  link: string;
  expireAt: number;
}

/**
 * Creates a link that requires no key. It is valid for five minutes of real time, independent of program time. The five
 * minutes start at the last whole second, so that `expireAt` is exact and no link is valid for longer.
 */
export async function mintLink(
  { storage, publicUrl, digest }: LinkServices,
  { id, storageKey, fileName }: NamedFile & { id: string },
  clock: () => number = Date.now,
): Promise<Link> {
  // It can wait for the database, and the five minutes start after that.
  if (!storage.presign) await digest.refresh();
  const file = { id, fileName };
  const nowMs = clock();
  const expireAt = Math.floor(nowMs / 1000) + LINK_SECONDS;
  if (storage.presign) return { link: await storage.presign(storageKey, fileName, LINK_SECONDS), expireAt };
  const link = publicUrl + addressOf(digest, file, String(expireAt));
  // Never send a link that the download route would refuse.
  if (!readLink(digest, link.slice(publicUrl.length), nowMs))
    throw new Error('a link to this file cannot be created');
  return { link, expireAt };
}

const ADDRESS = /^\/files\/([0-9a-f-]{36})\/(\w[\w.-]{0,127})\?expires=([1-9]\d{0,11})&signature=[\w-]{48}$/;

/**
 * The file of a valid link; undefined for any other text. The address is rebuilt from its parts and compared as a
 * whole, so no other encoding, order or addition is accepted.
 */
export function readLink(digest: Digest, address: string, nowMs: number): LinkedFile | undefined {
  const [, id = '', fileName = '', expires = ''] = ADDRESS.exec(address) ?? [];
  if (!isId(id)) return undefined;
  const given = Buffer.from(address);
  const isOurs = addressesOf(digest, { id, fileName }, expires).some((text) => {
    const ours = Buffer.from(text);
    return given.length === ours.length && timingSafeEqual(given, ours);
  });
  if (!isOurs) return undefined;
  return nowMs < Number(expires) * 1000 ? { id, fileName } : undefined;
}

/** One address for each key of the vault, so that links remain valid after a key rotation. */
const addressesOf = (digest: Digest, file: LinkedFile, expires: string): string[] =>
  digest
    .all('report-link', file.id, file.fileName, expires)
    .map((made) => withSignature(file, expires, made));

const addressOf = (digest: Digest, file: LinkedFile, expires: string): string =>
  withSignature(file, expires, digest('report-link', file.id, file.fileName, expires));

const withSignature = ({ id, fileName }: LinkedFile, expires: string, signature: Buffer): string =>
  `/files/${id}/${fileName}?expires=${expires}&signature=${signature.toString('base64url')}`;
