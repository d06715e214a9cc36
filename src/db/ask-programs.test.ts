import { expect, test } from 'vitest';
import { askPrograms } from './ask-programs.ts';

/** As Citus reports a node that does not answer. */
const NODE_AWAY = Object.assign(new Error('connection to the remote node failed'), {
  code: '08006',
  severity: 'ERROR',
});
const listIds = async () => ['a', 'b', 'c'];

test('asks about all programs at once', async () => {
  const asked: unknown[] = [];
  const ask = async (id?: string) => {
    asked.push(id);
    return ['all'];
  };
  expect(await askPrograms(ask, listIds)).toEqual(['all']);
  expect(asked).toEqual([undefined]);
});

test('leaves out the programs of a node that is away', async () => {
  const ask = async (id?: string) => {
    if (id === undefined || id === 'b') throw NODE_AWAY;
    return [id];
  };
  expect(await askPrograms(ask, listIds)).toEqual(['a', 'c']);
});

test.each([
  ['of all', undefined],
  ['of one', 'b'],
])('passes other errors on, %s', async (_, failing) => {
  const ask = async (id?: string) => {
    if (id === failing) throw new Error('something else');
    if (id === undefined) throw NODE_AWAY;
    return [id];
  };
  await expect(askPrograms(ask, listIds)).rejects.toThrow('something else');
});

test('fails if the programs cannot be listed either: the whole database is away', async () => {
  const fail = async () => {
    throw NODE_AWAY;
  };
  await expect(askPrograms(fail, fail)).rejects.toBe(NODE_AWAY);
});
