import { invalid } from '../../kernel/error.ts';
import { LOWEST_ID } from '../../kernel/ids.ts';
import type { ProgramMode } from '../../programs/program.ts';

export const REVEAL_FIELDS = ['number', 'expiry', 'cvv'] as const;
export type RevealField = (typeof REVEAL_FIELDS)[number];

export const THEME_SIZES = ['small', 'medium', 'large'] as const;
export const THEME_FONTS = ['system', 'serif', 'mono'] as const;

/** Words from lists, and colours: nothing in it can contain a style or an address. */
export interface Theme {
  background?: string;
  text?: string;
  accent?: string;
  size?: (typeof THEME_SIZES)[number];
  font?: (typeof THEME_FONTS)[number];
}

/** Real time: moves of the program clock neither extend nor end a session. */
export const SESSION_MS = 60_000;
export const MOST_OPEN = 5;
export const MOST_WRONG_VERIFIERS = 3;

/** What the address of the page says about a session. */
export interface SessionRef {
  programId: string;
  id: string;
  /** The only origin whose pages can frame the page; null: none, it is opened by itself. */
  origin: string | null;
}

/** An open session. The row is deleted when the session ends, so a used one looks like one that never existed. */
export interface RevealSession extends SessionRef {
  cardId: string;
  /** The session shows this credential only: a reissue ends it. */
  credentialId: string;
  /** The key that created it, for the limits. */
  createdBy: string;
  /** SHA-256 of the verifier, which Emboss never stores. */
  challenge: Buffer;
  fields: readonly RevealField[];
  displaySeconds: number;
  theme: Theme | null;
}

/** Plain host names: CSP would read other characters as wildcards or as the end of the directive. */
const ORIGIN = /^https?:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;

const isOrigin = (text: string): boolean =>
  ORIGIN.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** As for webhooks: http is allowed in sandbox programs only. */
export function readOrigin(text: string | null, mode: ProgramMode): string | null {
  if (text === null) return null;
  if (!isOrigin(text))
    throw invalid('origin', 'must be an origin without a path, such as https://app.example.com, or null');
  if (mode === 'live' && !text.startsWith('https:'))
    throw invalid('origin', 'must begin with https:// in a live program');
  return text;
}

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

const uuidAt = (bytes: Buffer, at: number): string =>
  bytes.toString('hex', at, at + 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
