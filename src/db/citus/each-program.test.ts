import { expect, test } from 'vitest';
import { createEachProgram } from './each-program.ts';

/** As Citus reports a node that does not answer. */
const NODE_LOST = Object.assign(new Error('connection to the remote node failed'), {
  code: '08006',
  severity: 'ERROR',
});
const listIds = async () => ['a', 'b', 'c'];

test('queries all programs with one statement', async () => {
  const queried: unknown[] = [];
  const query = async (id?: string) => {
    queried.push(id);
    return ['all'];
  };
  const { rows, missed } = await createEachProgram()(listIds, query);
  expect({ rows, missed: [...missed], queried }).toEqual({ rows: ['all'], missed: [], queried: [undefined] });
});

test('leaves out the programs of an unavailable node, and does not query them again immediately', async () => {
  const queried: unknown[] = [];
  const query = async (id?: string) => {
    queried.push(id);
    if (id === undefined || id === 'b') throw NODE_LOST;
    return [id];
  };
  const eachProgram = createEachProgram();
  for (const expected of [
    [undefined, 'a', 'b', 'c'],
    ['a', 'c'],
  ]) {
    const { rows, missed } = await eachProgram(listIds, query);
    expect({ rows, missed: [...missed], queried: queried.splice(0) }).toEqual({
      rows: ['a', 'c'],
      missed: ['b'],
      queried: expected,
    });
  }
});

test.each([
  ['of all', undefined],
  ['of one', 'b'],
])('passes other errors on, %s', async (_, failing) => {
  const query = async (id?: string) => {
    if (id === failing) throw new Error('something else');
    if (id === undefined) throw NODE_LOST;
    return [id];
  };
  await expect(createEachProgram()(listIds, query)).rejects.toThrow('something else');
});

test('a lost connection of our own is an error, as it is for every statement', async () => {
  const queried: unknown[] = [];
  const query = async (id?: string) => {
    queried.push(id);
    throw Object.assign(new Error('terminating connection'), { code: '57P01', severity: 'FATAL' });
  };
  await expect(createEachProgram()(listIds, query)).rejects.toThrow('terminating connection');
  expect(queried).toEqual([undefined]);
});
