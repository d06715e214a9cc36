import type { Dice } from './dice.ts';

const long = (length: number, sign = 'x'): string => sign.repeat(length);

/** Text that is allowed, and that software often handles wrongly. It must be returned as it was sent. */
export const ODD_TEXTS = [
  ...['O’Brien', "Robert'); drop table cards;--", "' or 1=1 --", '=1+1', '@SUM(A1)', '-2+3', '+1'],
  ...['<script>alert(1)</script>', '"><img src=x>', '{{7*7}}', `${'$'}{7*7}`, '%s%n%x', '../../etc/passwd'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    'NaN',
    'true',
    '0',
    '-0',
  ],
  ...['漢字', 'Ἀχιλλεύς', 'שלום', 'مرحبا', 'नमस्ते', 'Zoë', 'Zoe\u0308', 'ß', 'İ', 'ﬁ', '\u212a'],
  ...[
    '👩‍👩‍👧‍👦',
    '🏴‍☠️',
    '𝒳',
    '\u{10ffff}',
    '\uffff',
    '\ufeffBOM',
    '\u202eesrever',
    'a\u200bb',
    '\u2028',
    '\u00a0x',
  ],
  ...[
    '  two  spaces  ',
    'tail ',
    ' head',
    '\\',
    '\\u0000',
    '\\\\',
    '"',
    "'",
    '`',
    '/',
    '//',
    '%00',
    '%2e%2e%2f',
    '\ud83d\ude00',
  ],
  ...[
    'a,b;c|d',
    '#',
    '&',
    '?',
    'x=y&z',
    '1e309',
    '0x10',
    '١٢٣',
    '１２３',
    '2020-02-30',
    '12.50',
    '1,000.00',
    '{}',
    '[]',
  ],
  ...[long(20), long(27), long(50), long(100), long(254), long(255), long(255, '漢'), long(127, '😀')],
  ...[long(256), long(2_048), long(20_000), long(5_000, '😀'), `${'a'.repeat(30)} ${'a'.repeat(30)}`],
];

/** Text that is refused wherever it stands: control characters of every kind, and halves of characters. */
export const UNCLEAN_TEXTS = [
  ...[
    '\u0000',
    'a\u0000b',
    'tab\there',
    'line\nend',
    'return\r',
    '\u0007',
    '\u001b[31mred',
    '\u007f',
    '\u0085',
    '\u009f',
  ],
  ...['\ud800', '\udc00', 'x\ud83d', '\ude00\ud83d'],
];

/** Values of another type than the required one. */
export const ODD_VALUES: readonly unknown[] = [
  ...[null, true, false, 0, 1, -1, 0.1, 1e21, 1e308, -1e308, 2 ** 53, 5e-324, 123456789012345, 1.005],
  ...[
    '',
    ' ',
    'x',
    '1',
    'true',
    [],
    {},
    [[]],
    [null],
    { length: 1 },
    { toString: 'x' },
    { $ne: null },
    { $gt: '' },
  ],
  ...[['a', 'b'], { __proto__x: 1 }, { toJSON: 'x' }, { constructor: { prototype: { admin: true } } }],
];

const deepArray = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const deepObject = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Whole bodies that are no JSON object, or not in UTF-8, or too much. None of them may be accepted. */
export const BROKEN_BODIES: readonly Buffer[] = [
  ...[
    '',
    ' ',
    '{',
    '}',
    '{"a":1,}',
    "{'a':1}",
    '{"a":1}{"b":2}',
    'null',
    'true',
    '1',
    '"text"',
    '[]',
    '[{}]',
    'NaN',
    '{"a":NaN}',
  ],
  ...[
    '{"a":01}',
    '{"a":"\t"}',
    '{"a":"\\x"}',
    '{"a":"\\u12"}',
    '<xml/>',
    'a=1&b=2',
    '\ufeff',
    'undefined',
    '{"a"}',
    '{"\\ud800":1}',
  ],
  ...[deepArray(33), deepObject(33), `{"a":[${Array(2_001).fill(0).join()}]}`],
  ...[deepArray(30_000), `{"a":${deepArray(30_000)}`, `"${'x'.repeat(60_000)}"`, ' '.repeat(70_000)],
  `{"a":"${'x'.repeat(70_000)}"}`,
]
  .map((text) => Buffer.from(text))
  .concat([
    Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    Buffer.from('{"a":"\u00e9"}', 'latin1'),
    Buffer.from('{"a":1}', 'utf16le'),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.alloc(100),
    Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0]),
  ]);

/** Undeclared fields: they are ignored and change nothing. */
export const IGNORED_FIELDS: readonly string[] = [
  ...[
    '"__proto__":{"cardType":"virtual"}',
    '"constructor":{"prototype":{"x":1}}',
    '"prototype":1',
    '"toString":1',
  ],
  ...[
    '"status":"ACTIVE"',
    '"id":"019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f"',
    '"program_id":"x"',
    '"availableCredit":1e9',
  ],
  ...[
    `"deep":${deepArray(30)}`,
    `"deep":${deepObject(30)}`,
    `"long":"${'y'.repeat(30_000)}"`,
    '"":1',
    '"a b":[1,2,3]',
  ],
  ...[
    '"then":"x"',
    '"toJSON":"x"',
    '"hasOwnProperty":1',
    '"length":-1',
    '"漢":"字"',
    '"\\u0061":1',
    '"__defineGetter__":1',
  ],
];

export const CONTENT_TYPES = [
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'text/json',
  ],
  ...[
    'application/jsonx',
    'application',
    '/',
    ';',
    'a/b/c',
    'application/json-patch+json',
    'image/png',
    '\u00ff',
    'x'.repeat(5_000),
  ],
];

/** Hardly two of them are the same in any two programs. */
export const ODD_TARGETS = [
  ...[
    '/',
    '//',
    '/..',
    '/../..',
    '/%',
    '/%zz',
    '/%00',
    '/%ED%A0%80',
    '/*',
    '/.git/config',
    '/.env',
    '/api',
    '/api/v1',
  ],
  ...[
    '/api/v1/merchant/',
    '/api/v1/merchant/../merchant/cards/',
    '/api/v1/merchant/cards//',
    '/api//v1/merchant/cards/',
  ],
  ...[
    '/API/V1/MERCHANT/CARDS/',
    '/api/v1/merchant/cards/%2e%2e/',
    '/api/v1/merchant/cards/..%2f..%2f',
    '/api/v2/merchant/cards/',
  ],
  ...[
    '/console/../api/v1/merchant/cards/',
    '/console/%2e%2e/%2e%2e/etc/passwd',
    '/console/assets/..%2f..%2fpackage.json',
  ],
  ...[
    '/console/api',
    '/console/api/x',
    '/console/api/programs/',
    '/files/',
    '/files/a/b',
    '/files/%2e%2e/x.csv',
    '/docs/%2e%2e/',
  ],
  ...[
    '/metrics/x',
    '/health/',
    '/health/live/x',
    '/openapi.json/',
    '/?a=1',
    '/api/v1/merchant/cards;a=b/',
    `/${'a'.repeat(9_000)}`,
  ],
  ...[
    '/api/v1/merchant/cards/?page=1&page=2',
    '/api/v1/merchant/cards/?page[]=1',
    '/api/v1/merchant/cards/?page[a]=1',
    '/?__proto__=1',
  ],
  ...[
    '/api/v1/merchant/cards/?',
    '/api/v1/merchant/cards/?&&&',
    '/api/v1/merchant/cards/?%',
    '/api/v1/merchant/cards/?a=%ff#x',
    '/__proto__/',
  ],
];

export const ODD_METHODS = [
  'PATCH',
  'TRACE',
  'OPTIONS',
  'HEAD',
  'PROPFIND',
  'M-SEARCH',
  'PURGE',
  'QUERY',
  'get',
  'CONNECT',
  'FOO',
];

/** Values of headers that we read, and of some that must have no effect. */
export const ODD_HEADERS: ReadonlyArray<readonly [string, string]> = [
  ...[
    '',
    ' ',
    'a'.repeat(255),
    'a'.repeat(256),
    '\u00e9',
    'a\u0080b',
    'key with spaces',
    '"quoted"',
    '漢',
  ].map((value) => ['idempotency-key', Buffer.from(value).toString('latin1')] as const),
  ...['gzip', 'br', 'deflate, gzip', 'identity', 'x'].map((value) => ['content-encoding', value] as const),
  ...['bytes=0-', 'bytes=-1', 'bytes=5-1', 'bytes=a', 'bytes=0-0,1-1', 'lines=1'].map(
    (value) => ['range', value] as const,
  ),
  ['accept', 'text/html'],
  ['accept', '*/*;q=0'],
  ['accept-encoding', 'gzip;q=0'],
  ['accept-charset', 'utf-7'],
  ['expect', '100-continue'],
  ['expect', 'a miracle'],
  ['upgrade', 'websocket'],
  ['upgrade', 'h2c'],
  ['http2-settings', 'AAMAAABkAAQAAP__'],
  ['connection', 'close'],
  ['connection', 'upgrade'],
  ['x-forwarded-for', "127.0.0.1, ' or 1=1"],
  ['x-forwarded-host', 'evil.example'],
  ['x-http-method-override', 'DELETE'],
  ['x-request-id', 'mine'],
  ['origin', 'https://evil.example'],
  ['cookie', 'emboss_session=x; emboss_session=y'],
  ['cookie', `a=${'b'.repeat(4_000)}`],
  ['transfer-encoding', 'identity'],
  ['te', 'trailers'],
  ['if-none-match', '*'],
  ['if-modified-since', 'yesterday'],
  ['sec-fetch-site', 'cross-site'],
  ['x-unattended', '1'],
  ['authorization', 'Basic !!!'],
  ['x-many', 'm'.repeat(12_000)],
  ['x-too-many', 'm'.repeat(20_000)],
];

/** What breaks HTTP itself, to be put where the blank line after the headers stands. */
export const ODD_WIRE: ReadonlyArray<(head: string) => string> = [
  (head) => head.replace('HTTP/1.1', 'HTTP/1.0'),
  (head) => head.replace('HTTP/1.1', 'HTTP/2.0'),
  (head) => head.replace('HTTP/1.1', 'HTTP/9.9'),
  (head) => head.replace(' HTTP/1.1', ''),
  (head) => head.replace(/\r\nhost: [^\r]*/i, ''),
  (head) => `${head}\r\nhost: evil.example`,
  (head) => `${head}\r\ncontent-length: 5`,
  (head) => `${head}\r\ncontent-length: -1`,
  (head) => `${head}\r\ncontent-length: 9999999999999999999999`,
  (head) => `${head}\r\ntransfer-encoding: chunked`,
  (head) => `${head}\r\ntransfer-encoding: chunked, identity`,
  (head) => `${head}\r\ntransfer-encoding : chunked`,
  (head) => `${head}\r\nno colon here`,
  (head) => `${head}\r\n: no name`,
  (head) => `${head}\r\nx-nul: a\u0000b`,
  (head) => `${head}\r\nx-fold: a\r\n b`,
  (head) => `${head}\r\nx bad: name`,
  (head) => `${head}\n\nx: y`,
  (head) => `\r\n\r\n${head}`,
  (head) => `\u0016\u0003\u0001${head}`,
  (head) => head + Array.from({ length: 3_000 }, (_, index) => `\r\nx-${index}: 1`).join(''),
];

/** A text with one hostile thing put into the middle of it. */
export const spoilText = (text: string, dice: Dice): string => {
  const at = dice.below(text.length + 1);
  return text.slice(0, at) + dice.pick(UNCLEAN_TEXTS) + text.slice(at);
};
