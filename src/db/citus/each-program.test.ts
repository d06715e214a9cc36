import { expect, test } from 'vitest';
import { createEachProgram } from './each-program.ts';

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
  const { rows, missed } = await createEachProgram()(listIds, ask);
  expect({ rows, missed: [...missed], asked }).toEqual({ rows: ['all'], missed: [], asked: [undefined] });
});

test('leaves out the programs of a node that is away, and does not ask for them again at once', async () => {
  const asked: unknown[] = [];
  const ask = async (id?: string) => {
    asked.push(id);
    if (id === undefined || id === 'b') throw NODE_AWAY;
    return [id];
  };
  const eachProgram = createEachProgram();
  for (const expected of [
    [undefined, 'a', 'b', 'c'],
    ['a', 'c'],
  ]) {
    const { rows, missed } = await eachProgram(listIds, ask);
    expect({ rows, missed: [...missed], asked: asked.splice(0) }).toEqual({
      rows: ['a', 'c'],
      missed: ['b'],
      asked: expected,
    });
  }
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
  await expect(createEachProgram()(listIds, ask)).rejects.toThrow('something else');
});

test('a lost connection of our own is an error, as it is for every statement', async () => {
  const asked: unknown[] = [];
  const ask = async (id?: string) => {
    asked.push(id);
    throw Object.assign(new Error('terminating connection'), { code: '57P01', severity: 'FATAL' });
  };
  await expect(createEachProgram()(listIds, ask)).rejects.toThrow('terminating connection');
  expect(asked).toEqual([undefined]);
});
