import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNameTable, NONE } from './name-table.ts';

test('it knows what a map knows, up to the last slot', () => {
  const id = fc.uuid().map((text) => `${text.slice(0, 34)}00`);
  const entries = fc.array(fc.tuple(id, fc.string({ unit: 'grapheme' })), { maxLength: 3_000 });
  fc.assert(
    fc.property(entries, fc.array(id), (added, others) => {
      const table = createNameTable(3_000);
      const map = new Map<string, string>();
      for (const [cardId, name] of added) {
        table.add(cardId, name);
        // The first name of a card is its name.
        if (!map.has(cardId)) map.set(cardId, name);
      }
      expect(table.count()).toBe(map.size);
      for (const cardId of [...map.keys(), ...others]) {
        const slot = table.find(Buffer.from(`…${cardId},`), Buffer.byteLength('…'));
        expect(slot !== NONE).toBe(map.has(cardId));
        if (slot === NONE) continue;
        const target = Buffer.alloc(table.lengthOf(slot) + 2, '.');
        expect(table.copyName(slot, target, 1)).toBe(table.lengthOf(slot));
        expect(target.toString()).toBe(`.${map.get(cardId)}.`);
      }
    }),
    { numRuns: 50 },
  );
  const table = createNameTable(50_000);
  const ids = Array.from(
    { length: 50_000 },
    (_, n) => `019a85f2-7c1e-7001-9f3e-${String(n).padStart(12, '0')}`,
  );
  for (const [n, cardId] of ids.entries()) table.add(cardId, `Holder ${n}`);
  const target = Buffer.alloc(20);
  for (const [n, cardId] of ids.entries()) {
    const slot = table.find(Buffer.from(cardId), 0);
    expect(target.toString('utf8', 0, table.copyName(slot, target, 0))).toBe(`Holder ${n}`);
  }
  expect(() => table.add('019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f', 'One too many')).toThrow('full');
});
