import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAllowedAddress } from './allowed-address.ts';

/** The first and the last address of each refused range, written by hand. */
const REFUSED_RANGES = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
] as const;

const numberOf = (dotted: string): number =>
  dotted.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const dottedOf = (value: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
const isRefused = (value: number): boolean =>
  REFUSED_RANGES.some(([first, last]) => value >= numberOf(first) && value <= numberOf(last));

/** The IPv6 addresses that lead to this IPv4 address, in several spellings each. */
function carriersOf(value: number): string[] {
  const dotted = dottedOf(value);
  const hex = value.toString(16).padStart(8, '0');
  const [high, low] = [hex.slice(0, 4), hex.slice(4)];
  return [
    `::ffff:${dotted}`,
    `::FFFF:${high}:${low}`.toUpperCase(),
    `0:0:0:0:0:ffff:${dotted}`,
    `0000:0000:0000:0000:0000:ffff:${high}:${low}`,
    `64:ff9b::${dotted}`,
    `64:FF9B::${high}:${low}`,
    `0064:ff9b:0:0:0:0:${high}:${low}`,
    `2002:${high}:${low}::1`,
    `2002:${high}:${low}:0:0:0:0:1`,
  ];
}

/** Half of the addresses are near the edge of a range, where errors are likely. */
const ipv4 = fc.oneof(
  fc.integer({ min: 0, max: 0xffffffff }),
  fc
    .tuple(fc.constantFrom(...REFUSED_RANGES.flat()), fc.integer({ min: -2, max: 2 }))
    .map(([edge, step]) => Math.min(Math.max(numberOf(edge) + step, 0), 0xffffffff)),
);

describe('IPv4', () => {
  test('the ranges are refused up to their edges, and no other address is', () => {
    fc.assert(
      fc.property(ipv4, (value) => {
        expect(isAllowedAddress(dottedOf(value))).toBe(!isRefused(value));
      }),
      { numRuns: 5_000 },
    );
  });

  test('an address gets the same result in every IPv6 form that embeds it', () => {
    fc.assert(
      fc.property(ipv4, (value) => {
        for (const carrier of carriersOf(value))
          expect([carrier, isAllowedAddress(carrier)]).toEqual([carrier, !isRefused(value)]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('IPv6', () => {
  test.each([
    '::',
    '0:0:0:0:0:0:0:0',
    '::1',
    '0000:0000:0000:0000:0000:0000:0000:0001',
    '::127.0.0.1', // compatible, withdrawn
    '::8.8.8.8',
    '::ffff:0:8.8.8.8', // translated, never public
    '64:ff9b:1::8.8.8.8', // NAT64 of a private network
    '64:ff9b:1:ffff::1',
    '64:ff9b:0:1::8.8.8.8',
    '100::1',
    '5f00::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2', // Teredo
    '2001:10::1',
    '2001:1ff:ffff::1',
    '2001:db8::1',
    '2001:0DB8:FFFF::1',
    '3fff::1',
    '3fff:fff:ffff::1',
    '4000::1',
    'fc00::1',
    'fd00:ec2::254', // a cloud's metadata
    'fe80::1',
    'febf::1',
    'fec0::1',
    'ff02::1',
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  ])('%s is refused', (address) => {
    expect(isAllowedAddress(address)).toBe(false);
  });

  test.each([
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2001:200::1',
    '2A00:1450:4001:0800:0000:0000:0000:200E',
    '2003::1',
    '3fff:1000::1',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
  ])('%s is allowed', (address) => {
    expect(isAllowedAddress(address)).toBe(true);
  });
});

test.each([
  '',
  ' ',
  'localhost',
  'example.com',
  '0x8.8.8.8',
  '010.8.8.8',
  '8.8.8',
  '134744072',
  '0x08080808',
  '8.8.8.8 ',
  '8.8.8.8.',
  '8.8.8.8/32',
  '8.8.8.8:80',
  '٨.8.8.8',
  '[2606:4700::1]',
  '2606:4700::1%eth0',
  '2606:4700::1%',
  'fe80::1%1',
  '2606:4700:::1',
  '::ffff:0x8.8.8.8',
  '::ffff:8.8.8',
])('%j is not a plain address and is refused', (text) => {
  expect(isAllowedAddress(text)).toBe(false);
});
