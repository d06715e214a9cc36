import { createSecretKey } from 'node:crypto';
import { createDigest, type Digest } from '../../../src/kernel/digest.ts';

/** A keyed digest without a vault. */
export function testDigest(key: string): Digest {
  const only = { id: 1, key: createSecretKey(Buffer.from(key)) };
  return createDigest({ current: () => only, live: () => [only], refresh: async () => {} });
}
