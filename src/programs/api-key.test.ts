import { expect, test } from 'vitest';
import { reveal, secret } from '../kernel/secret.ts';
import { chosenKeyFault, generateKey } from './api-key.ts';
import { KEY_KINDS } from './program.ts';

const USES = (['sandbox', 'live'] as const).flatMap((mode) => KEY_KINDS.map((kind) => ({ mode, kind })));

test('a key shows its mode and its type', () => {
  for (const use of USES)
    expect(reveal(generateKey(use))).toMatch(
      new RegExp(`^emboss_${use.mode}_${use.kind}_[0-9A-Za-z]{40}[0-9a-f]{8}$`),
    );
});

test('a chosen key with the form of a generated key is accepted only for its own mode and type', () => {
  for (const made of USES)
    for (const use of USES)
      expect([made, use, chosenKeyFault(generateKey(made), use)]).toEqual([
        made,
        use,
        made === use
          ? undefined
          : `must not be a key of another type: it begins with emboss_${made.mode}_${made.kind}_`,
      ]);
});

test('a mistyped generated key is refused; other text is accepted', () => {
  const use = { mode: 'sandbox', kind: 'merchant' } as const;
  const key = reveal(generateKey(use));
  const mistyped = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
  expect(chosenKeyFault(secret(mistyped), use)).toBe('has a wrong checksum: it was mistyped or truncated');
  expect(chosenKeyFault(secret('my-sandbox-merchant-key'), use)).toBeUndefined();
  expect(chosenKeyFault(secret('too-short'), use)).toMatch(/^must be 16 to 1024 printable/);
});
