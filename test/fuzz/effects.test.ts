import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/scripts/sources.ts';
import { EFFECTS } from './effects.ts';
import { kindOf, listOperations } from './operations.ts';

test('every operation that changes a card has a check of its effect', () => {
  const document: unknown = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'));
  const changing = listOperations(document).filter(
    ({ method, template }) => method !== 'GET' && template.startsWith('/api/v1/merchant/card'),
  );
  expect(changing.length).toBeGreaterThan(8);
  expect(changing.map(kindOf).filter((kind) => !(kind in EFFECTS))).toEqual([]);
});
