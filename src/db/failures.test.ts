import { expect, test } from 'vitest';
import { isConnectionLoss } from './failures.ts';

/** As Citus 13.2 reported them while nodes were killed and their disk was full. */
test.each([
  'failure on connection marked as essential: 127.0.0.1:5432',
  'connection to the remote node emboss_server@127.0.0.1:5432 failed with the following error: connection not open',
  'server closed the connection unexpectedly',
  'could not commit transaction for shard 102008 on at least one active node',
  'postmaster was shut down, exiting',
  'could not append to received file: No space left on device',
])('a cluster that reports "%s" is unavailable', (message) => {
  const error = Object.assign(new Error(message), { severity: 'ERROR', code: 'XX000' });
  expect(isConnectionLoss(error)).toBe(true);
});

test('another internal error is a bug', () => {
  const error = Object.assign(new Error('cache lookup failed'), { severity: 'ERROR', code: 'XX000' });
  expect(isConnectionLoss(error)).toBe(false);
});
