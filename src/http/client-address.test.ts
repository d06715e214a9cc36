import { expect, test } from 'vitest';
import { clientAddress } from './client-address.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['[2001:db8::1]:4711', '2001:db8:0:0::/64'],
  ['unknown', ''],
  [undefined, ''],
])('%s is counted as %s', (ip, counted) => {
  expect(clientAddress(ip)).toBe(counted);
});
