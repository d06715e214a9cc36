import { expect, test } from 'vitest';
import { createSignInTurns } from './sign-in-turns.ts';

test('a known device gets the next turn while first attempts from many addresses fill the queue', async () => {
  const turns = createSignInTurns();
  const leaveFirst = await turns.enter('address 0', false);
  const order: string[] = [];
  const enter = (source: string, isKnown: boolean) =>
    turns.enter(source, isKnown).then(
      (leave) => {
        order.push(source);
        leave();
      },
      (error) => order.push(`${source}: ${error.code}`),
    );
  const crowd = Array.from({ length: 40 }, (_, at) => enter(`address ${at + 1}`, false));
  const device = enter('device', true);
  leaveFirst();
  await Promise.all([...crowd, device]);
  const refused = order.filter((line) => line.endsWith(': 429'));
  // Eight were refused because the queue was full, and the newest waiting request gave way to the device.
  expect(refused).toHaveLength(9);
  expect(order.filter((line) => !line.endsWith(': 429'))[0]).toBe('device');
});
