import { expect, test } from 'vitest';
import { freshDatabase, namedStatements } from '../../test/support/database/database.ts';
import { queryableOf, withClient } from './connection.ts';
import { openDatabase } from './database.ts';

import { propertyName } from './property-name.ts';

test.each([
  ['created_at', 'createdAt'],
  ['three_ds_forwarding', 'threeDsForwarding'],
  ['id', 'id'],
  ['alreadyTurned', 'alreadyTurned'],
  ['sha256', 'sha256'],
  ['part_2', 'part_2'],
  ['?column?', '?column?'],
  ['QUERY PLAN', 'QUERY PLAN'],
])('the column %s is read into %s', (column, property) => {
  expect(propertyName(column)).toBe(property);
});

test('rows of named and unnamed statements, of transactions and of single connections have the same properties', async () => {
  const url = await freshDatabase();
  const db = openDatabase({ url, poolSize: 1, namedStatements: namedStatements(), onIdleError: () => {} });
  try {
    const text = 'select 1 as first_part, 2 as "second_part", null as rest';
    const row = { firstPart: 1, secondPart: 2, rest: null };
    for (const _ of [1, 2]) expect(await db.query({ name: 'parts', text })).toEqual([row]);
    expect(await db.query(text)).toEqual([row]);
    expect(await db.transaction((tx) => tx.query({ name: 'parts', text }))).toEqual([row]);
    expect(await withClient(url, (client) => queryableOf(client).query(text))).toEqual([row]);
  } finally {
    await db.close();
  }
});
