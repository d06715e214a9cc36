import { canonicalJson } from '../../http/canonical-json.ts';
import type { Digest } from '../../kernel/digest.ts';
import type { RevealSession } from './reveal-session.ts';

/** Binds a session to all of its parts: a row written or changed directly in the database reveals no number. */
export const sealSession = (digest: Digest, session: RevealSession): Buffer => digest(...partsOf(session));

export const isSealOf = (digest: Digest, seal: Buffer, session: RevealSession): boolean =>
  digest.matches(seal, ...partsOf(session));

const partsOf = ({ challenge, expiresAt, ...plain }: RevealSession): [string, string] => [
  'reveal-session',
  canonicalJson({ ...plain, challenge: challenge.toString('hex'), expiresAt: expiresAt.getTime() }),
];
