import { describe, expect, test } from 'vitest';
import { EmbossError } from '../kernel/error.ts';
import { type AddressRules, createAddressRules, PUBLIC_ONLY } from './address-rules.ts';
import { readEndpointUrl } from './endpoint-url.ts';

const ANYWHERE: AddressRules = { live: PUBLIC_ONLY, sandbox: { ...PUBLIC_ONLY, allows: () => true } };

function refusal(url: string, mode: 'live' | 'sandbox', addresses = ANYWHERE): string {
  try {
    return `accepted as ${readEndpointUrl(url, mode, addresses)}`;
  } catch (error) {
    expect(error).toBeInstanceOf(EmbossError);
    expect((error as EmbossError).httpStatus).toBe(400);
    return (error as EmbossError).message;
  }
}

const NOT_LISTED =
  'url: must point to a public address; the setting WEBHOOK_PRIVATE_ADDRESSES, or HOST=127.0.0.1 for loopback, allows others';
const NOT_PUBLIC = 'url: must point to a public address in a live program';
const NOT_A_URL = 'url: must be an absolute URL, such as https://example.com/webhooks';
const UNCLEAN = 'url: must not contain spaces, control characters or backslashes';
const TOO_LONG = 'url: must be at most 2048 characters';

describe('in any program', () => {
  test.each([
    ['', NOT_A_URL],
    ['example.com/webhooks', NOT_A_URL],
    ['//example.com', NOT_A_URL],
    ['https:example.com', NOT_A_URL],
    ['https://', NOT_A_URL],
    ['https:///', NOT_A_URL],
    ['https://:443/', NOT_A_URL],
    ['https://example.com:99999/', NOT_A_URL],
    ['https://1.2.3.4.5/', NOT_A_URL],
    ['https://[::1/', NOT_A_URL],
    ['https://[fe80::1%25eth0]/', NOT_A_URL],
    ['https://exa<mple.com/', NOT_A_URL],
    ['ftp://example.com/', NOT_A_URL],
    ['file:///etc/passwd', NOT_A_URL],
    ['javascript:alert(1)', NOT_A_URL],
    [' https://example.com/', UNCLEAN],
    ['https://example.com/a b', UNCLEAN],
    ['https://exam\tple.com/', UNCLEAN],
    ['https://example.com/\n', UNCLEAN],
    ['https://example.com\\@127.0.0.1/', UNCLEAN],
    ['https://example.com/\ud800', UNCLEAN],
    ['https://user@example.com/', 'url: must not contain a user name or password'],
    ['https://:word@example.com/', 'url: must not contain a user name or password'],
    ['https://example.com/#part', 'url: must not contain a fragment (#…)'],
    ['https://example.com/#', 'url: must not contain a fragment (#…)'],
    [`https://example.com/${'a'.repeat(2029)}`, TOO_LONG],
    [`https://example.com/${'é'.repeat(400)}`, TOO_LONG],
  ])('%j is refused', (url, message) => {
    for (const mode of ['live', 'sandbox'] as const) expect(refusal(url, mode)).toBe(message);
  });

  test.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTPS://Example.COM:443/Hooks?a=1&b=%20', 'https://example.com/Hooks?a=1&b=%20'],
    ['https://example.com:8443/a', 'https://example.com:8443/a'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
    ['https://notlocalhost.com/', 'https://notlocalhost.com/'],
    ['https://internal.example.com/', 'https://internal.example.com/'],
    [`https://example.com/${'a'.repeat(2028)}`, `https://example.com/${'a'.repeat(2028)}`],
  ])('%j is accepted', (url, normal) => {
    for (const mode of ['live', 'sandbox'] as const)
      expect(readEndpointUrl(url, mode, ANYWHERE)).toBe(normal);
  });
});

describe('in a live program', () => {
  test('http is refused; a sandbox program accepts it', () => {
    expect(refusal('http://example.com/', 'live')).toBe('url: must begin with https:// in a live program');
    expect(readEndpointUrl('http://example.com/', 'sandbox', ANYWHERE)).toBe('http://example.com/');
  });

  test.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'localhost..',
    'a.localhost',
    'a.localhost.',
    'metadata.google.internal',
    'printer.local',
    'Printer.Local.',
    'intranet',
    'intranet.',
    'ｌｏｃａｌｈｏｓｔ',
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '0',
    '0.0.0.0',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0X7F.0.0.0x1',
    '017700000001',
    '0177.0.0.01',
    '①②⑦.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '10.1.2.3',
    '172.20.0.1',
    '192.168.1.1',
    '0xc0a80101',
    '169.254.169.254',
    '2852039166',
    '100.100.100.200',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::FFFF:A9FE:A9FE]',
    '[::127.0.0.1]',
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:7f00:1::]',
    '[fd00:ec2::254]',
    '[fe80::1]',
  ])('https://%s/ is refused; a sandbox program accepts it', (host) => {
    expect(refusal(`https://${host}/`, 'live')).toBe(NOT_PUBLIC);
    expect(refusal(`https://${host}:8443/hooks`, 'live')).toBe(NOT_PUBLIC);
    expect(refusal(`http://${host}:3000/`, 'sandbox')).toMatch(/^accepted as http:/);
  });
});

describe('in a sandbox program', () => {
  const rulesOf = (loopback: 'refused' | 'silent') =>
    createAddressRules({ loopback, privateRanges: ['10.20.0.0/16'], sandboxPrograms: true });
  const LOOPBACK = ['localhost', 'a.localhost.', '127.0.0.1', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]'];

  test('loopback is refused with the name of the setting, unless the server listens on loopback', () => {
    for (const host of LOOPBACK) {
      expect(refusal(`http://${host}:3000/`, 'sandbox', rulesOf('refused'))).toBe(NOT_LISTED);
      expect(refusal(`http://${host}:3000/`, 'sandbox', rulesOf('silent'))).toMatch(/^accepted as http:/);
    }
  });

  test('other private addresses are refused unless they are listed; a host name is checked when connecting', () => {
    for (const host of ['0.0.0.0', '10.21.0.1', '169.254.169.254', '[fd00:ec2::254]', '[64:ff9b::10.20.0.1]'])
      expect(refusal(`http://${host}/`, 'sandbox', rulesOf('silent'))).toBe(NOT_LISTED);
    for (const host of ['10.20.0.1', '[::ffff:10.20.0.1]', '8.8.8.8', 'receiver', 'printer.local'])
      expect(refusal(`http://${host}/`, 'sandbox', rulesOf('silent'))).toMatch(/^accepted as http:/);
  });
});
