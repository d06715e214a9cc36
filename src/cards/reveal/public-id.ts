import type { Digest } from '../../kernel/digest.ts';
import { LOWEST_ID } from '../../kernel/ids.ts';
import { isTaggedId, newTaggedId } from '../../kernel/tagged-id.ts';
import { isOrigin } from './origin.ts';
import type { SessionRef } from './reveal-session.ts';

/**
 * The public id of a session: program, session and origin. So the page needs no query to know who can frame it, and its
 * address leads to the program. An altered id matches no session.
 */
export const publicIdOf = ({ programId, id, origin }: SessionRef): string =>
  Buffer.concat([
    ...[programId, id].map((uuid) => Buffer.from(uuid.replaceAll('-', ''), 'hex')),
    Buffer.from(origin ?? ''),
  ]).toString('base64url');

/** No session has this reference: a malformed id takes as long as an unknown one. */
const NO_SESSION: SessionRef = { programId: LOWEST_ID, id: LOWEST_ID, origin: null };

export function readPublicId(text: string): SessionRef {
  const bytes = Buffer.from(text, 'base64url');
  const origin = bytes.toString('latin1', 32) || null;
  const ref = { programId: uuidAt(bytes, 0), id: uuidAt(bytes, 16), origin };
  // An id has one spelling.
  const isValid = bytes.length >= 32 && (origin === null || isOrigin(origin)) && publicIdOf(ref) === text;
  return isValid ? ref : NO_SESSION;
}

const UUID_BYTES = 16;
const tagged = ({ programId, origin }: Omit<SessionRef, 'id'>): string[] => [
  'reveal-session',
  programId,
  origin ?? '',
];

/** The server recognises the id without a query: `isOfSession`. */
export const newSessionId = (digest: Digest, ref: Omit<SessionRef, 'id'>): string =>
  uuidAt(newTaggedId(digest, UUID_BYTES, ...tagged(ref)), 0);

/** Whether this server created a session with this reference. It may have ended since. */
export const isOfSession = (digest: Digest, ref: SessionRef): boolean =>
  isTaggedId(digest, Buffer.from(ref.id.replaceAll('-', ''), 'hex'), UUID_BYTES, ...tagged(ref));

const uuidAt = (bytes: Buffer, at: number): string =>
  bytes.toString('hex', at, at + 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
