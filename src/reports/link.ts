import { timingSafeEqual } from 'node:crypto';
import type { Digest } from '../kernel/digest.ts';
import { isId } from '../kernel/ids.ts';
import type { ReportStorage } from './storage/storage.ts';

const LINK_SECONDS = 300;

export interface LinkServices {
  storage: ReportStorage;
  /** Base of every link we hand out. */
  publicUrl: string;
  digest: Digest;
}

/** What a link names: the file and nothing else, no program and no card. */
export interface LinkedFile {
  reportId: string;
  fileName: string;
}

/** `expireAt` in Unix seconds: the first moment at which the link is dead. */
export interface Link {
  link: string;
  expireAt: number;
}

/**
 * A link that needs no key, for five minutes of real time whatever the program's clock says. It counts from the last whole
 * second, so that `expireAt` is exact and no link outlives its five minutes.
 */
export async function mintLink(
  { storage, publicUrl, digest }: LinkServices,
  { storageKey, ...file }: LinkedFile & { storageKey: string },
  nowMs: number = Date.now(),
): Promise<Link> {
  const expireAt = Math.floor(nowMs / 1000) + LINK_SECONDS;
  if (storage.presign)
    return { link: await storage.presign(storageKey, file.fileName, LINK_SECONDS), expireAt };
  await digest.refresh();
  const link = publicUrl + addressOf(digest, file, String(expireAt));
  // A name that our own door would refuse must not travel to anybody.
  if (!readLink(digest, link.slice(publicUrl.length), nowMs))
    throw new Error('a link to this file cannot be created');
  return { link, expireAt };
}

const ADDRESS = /^\/files\/([0-9a-f-]{36})\/(\w[\w.-]{0,127})\?expires=([1-9]\d{0,11})&signature=[\w-]{48}$/;

/**
 * The file that a living link of ours names; undefined for any other text. A link has one spelling: the address is made
 * anew from what it says and compared as a whole, so that no other encoding, order or addition can pass.
 */
export function readLink(digest: Digest, address: string, nowMs: number): LinkedFile | undefined {
  const [, reportId = '', fileName = '', expires = ''] = ADDRESS.exec(address) ?? [];
  if (!isId(reportId)) return undefined;
  const given = Buffer.from(address);
  const isOurs = addressesOf(digest, { reportId, fileName }, expires).some((text) => {
    const ours = Buffer.from(text);
    return given.length === ours.length && timingSafeEqual(given, ours);
  });
  if (!isOurs) return undefined;
  return nowMs < Number(expires) * 1000 ? { reportId, fileName } : undefined;
}

/** Under every key of the vault: a link outlives their rotation. */
const addressesOf = (digest: Digest, file: LinkedFile, expires: string): string[] =>
  digest
    .all('report-link', file.reportId, file.fileName, expires)
    .map((made) => withSignature(file, expires, made));

const addressOf = (digest: Digest, file: LinkedFile, expires: string): string =>
  withSignature(file, expires, digest('report-link', file.reportId, file.fileName, expires));

const withSignature = ({ reportId, fileName }: LinkedFile, expires: string, signature: Buffer): string =>
  `/files/${reportId}/${fileName}?expires=${expires}&signature=${signature.toString('base64url')}`;
