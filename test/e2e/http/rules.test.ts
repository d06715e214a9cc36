import { beforeAll, describe, expect, test } from 'vitest';
import { CARDS, consumerCard, rowsWritten, withValue } from '../../support/cards/cards.ts';
import {
  fillBody,
  fillPath,
  type Operation,
  operationsOf,
  recordsPerOperation,
} from '../../support/openapi/document.ts';
import { appForTests } from '../../support/server/test-app.ts';
import { type Exchange, exchange, rawExchange, type WireBody } from '../../support/server/wire.ts';

const app = appForTests();
let operations: Operation[];
beforeAll(async () => {
  operations = operationsOf(app);
});

const send = (method: string, path: string, request: Parameters<typeof exchange>[3] = {}) =>
  exchange(app.url, method, path, { key: app.key, ...request });
/** With the key of the operation. */
const sendAs = (
  { keyHeader, method, file }: Operation,
  path: string,
  request: Parameters<typeof exchange>[3] = {},
) =>
  exchange(app.url, method, path, {
    ...request,
    ...(file && { raw: file.text }),
    headers: {
      ...(file && { 'content-type': file.type }),
      ...(keyHeader && { [keyHeader]: keyHeader === 'x-network-key' ? app.networkKey : app.key }),
    },
  });
const post = (raw: WireBody, headers: Record<string, string> = {}) => send('POST', CARDS, { raw, headers });

function expectError(answer: Exchange, status: number, message: string): void {
  expect(JSON.parse(answer.text)).toEqual({ code: status, message, status: 'failed' });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-f-]{36}$/);
}

describe('paths', () => {
  test('every documented path works with and without the trailing slash', async () => {
    const recordsFor = recordsPerOperation(app);
    for (const [index, operation] of operations.entries()) {
      const { method, template } = operation;
      const records = await recordsFor(operation);
      const path = fillPath(template, records);
      const body = fillBody(operation.body, records);
      const without = () => sendAs(operation, path.replace(/\/(\?|$)/, '$1'), { body });
      const with_ = () => sendAs(operation, path, { body });
      // Each is first for half of them: the second may find the record changed, or gone.
      const [first, second] = index % 2 === 0 ? [without, with_] : [with_, without];
      expect([method, template, (await first()).status < 300]).toEqual([method, template, true]);
      expect([method, template, (await second()).text.includes('No such path')]).toEqual([
        method,
        template,
        false,
      ]);
    }
  });

  test.each(['/openapi.json', '/docs', '/metrics', '/health/live', '/health/ready'])(
    '%s too',
    async (path) => {
      expect((await exchange(app.url, 'GET', path)).status).toBe(200);
      expect((await exchange(app.url, 'GET', `${path}/`)).status).toBe(200);
    },
  );

  test('documented paths end with a slash', () => {
    const api = operations.map(({ template }) => template).filter((template) => template.startsWith('/api/'));
    expect(api.filter((template) => !template.endsWith('/'))).toEqual([]);
  });

  test.each([
    ['GET', '/'],
    ['GET', '/nope'],
    ['GET', '/api/v1/merchant/'],
    ['GET', '/api/v2/merchant/cards/'],
    ['GET', '/API/V1/MERCHANT/CARDS/'],
    ['GET', '//api/v1/merchant/cards/'],
    ['PUT', '/api/v1/merchant/cards/x/thaw/'],
    ['DELETE', '/nope'],
  ])('%s %s is an unknown path', async (method, path) => {
    expectError(await send(method, path), 404, 'No such path');
    expectError(await exchange(app.url, method, path), 404, 'No such path');
  });

  test('an unknown path is a 404 before its body is read', async () => {
    expectError(await send('POST', '/nope', { raw: '{' }), 404, 'No such path');
  });

  test('every documented path lists its methods for a wrong one', async () => {
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
    for (const template of new Set(operations.map((operation) => operation.template))) {
      const known = operations
        .filter((operation) => operation.template === template)
        .map(({ method }) => method);
      const allow = [...known.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]))]
        .sort()
        .join(', ');
      const path = fillPath(template, {
        cardId: 'x',
        batchId: 'x',
        ruleId: 'x',
        backtestId: 'x',
        listName: 'x',
        customerId: 'x',
        cardDesignID: 'black',
        fileType: 'daily',
        kind: 'authorization',
        reference_id: 'x',
        transactionId: 'x',
        endpointId: 'x',
        eventId: 'x',
        authentication_id: 'x',
        authenticationId: 'x',
        tokenizationId: 'x',
        file_id: 'x',
      });
      for (const method of methods.filter((name) => !known.includes(name))) {
        const raw = method === 'GET' ? {} : { raw: 'no JSON', headers: { 'content-type': 'text/plain' } };
        const answer = await send(method, path, raw);
        const named = answer.headers.get('allow')?.split(', ').sort().join(', ');
        expect([method, template, named]).toEqual([method, template, allow]);
        expectError(answer, 405, `Method not allowed; use ${answer.headers.get('allow')}`);
      }
    }
  });

  test.each(['/api/v1/merchant/cards/%zz/', '/%', '/api/v1/merchant/card-design/%ff/', '/%ED%A0%80'])(
    '%s is malformed, so it is an unknown path',
    async (path) => {
      expectError(await send('GET', path), 404, 'Record not found');
    },
  );

  test('HEAD responds like GET, without a body', async () => {
    const answer = await send('HEAD', CARDS);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('');
  });
});

describe('bodies', () => {
  const card = JSON.stringify(consumerCard());
  /** A create request whose card name is this JSON text. */
  const named = (json: string) => card.replace('"ADA LOVELACE"', json);
  /** A create request with one more field at its front. */
  const plus = (member: string) => card.replace('{', `{${member},`);

  let before: unknown;
  beforeAll(async () => {
    before = await rowsWritten(app);
  });

  test.each([
    ['cut off', card.slice(0, -1), 'body: must be JSON'],
    ['single quotes', "{'freeze':true}", 'body: must be JSON'],
    ['a comment', `${card} // card`, 'body: must be JSON'],
    ['a trailing comma', card.replace(/}$/, ',}'), 'body: must be JSON'],
    ['NaN', plus('"x":NaN'), 'body: must be JSON'],
    ['two values', card + card, 'body: must be JSON'],
    ['white space', '  ', 'body: must be JSON'],
    ['a raw control character', named('"ADA\u0001"'), 'body: must be JSON'],
    ['a list', `[${card}]`, 'body: must be an object'],
    ['a number', '5', 'body: must be an object'],
    ['a text', '"card"', 'body: must be an object'],
    ['true', 'true', 'body: must be an object'],
    ['null', 'null', 'body: is required'],
    ['empty', '', 'body: is required'],
  ])('%s', async (_, raw, message) => {
    expectError(await post(raw), 400, message);
  });

  test('a missing body is a 400 on every operation that needs one', async () => {
    for (const operation of operations.filter(({ needsBody }) => needsBody)) {
      const path = fillPath(operation.template, {
        cardId: 'x',
        customerId: 'x',
        listName: 'x',
        ruleId: 'x',
        endpointId: 'x',
        kind: 'authorization',
        authentication_id: 'x',
        authenticationId: 'x',
        tokenizationId: 'x',
        file_id: 'x',
        transactionId: 'x',
      });
      expectError(await sendAs(operation, path), 400, 'body: is required');
    }
  });

  test.each([
    ['application/json', 201],
    ['application/json; charset=utf-8', 201],
    ['Application/JSON', 201],
    ['application/x-www-form-urlencoded', 400],
    ['text/plain', 400],
    ['multipart/form-data; boundary=x', 400],
    ['application/jsonx', 400],
    ['nonsense', 400],
    ['', 400],
  ])('content-type "%s": %i', async (type, status) => {
    const answer = await post(card, { 'content-type': type });
    expect(answer.status).toBe(status);
    if (status === 400) expectError(answer, 400, 'content-type: must be application/json');
  });

  test('a body without a content type is parsed as JSON', async () => {
    const request = `POST ${CARDS} HTTP/1.1\r\nhost: emboss\r\nx-payments-api-key: ${app.key}\r\nconnection: close`;
    const { status } = await rawExchange(
      app.url,
      `${request}\r\ncontent-length: ${card.length}\r\n\r\n${card}`,
    );
    expect(status).toBe(201);
  });

  test.each([
    ['a lone byte', [0xff]],
    ['half a character', [0xc3]],
    ['an overlong form', [0xc0, 0x80]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
  ])('%s is not UTF-8', async (_, bytes) => {
    const [head, tail] = named('"ADA#"').split('#') as [string, string];
    const raw = Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(tail)]);
    expectError(await post(raw), 400, 'body: must be UTF-8 text');
  });

  const unclean = 'must not contain control, invisible or invalid characters';
  const escapes = ['\\u0000', '\\u0001', '\\n', '\\t', '\\u001f', '\\u007f', '\\u0085', '\\u009f'];
  const halves = ['\\ud800', '\\udfff', '\\ude00\\ud83d', '\\ud83dx'];
  test.each([...escapes, ...halves])('text with %s is refused', async (sign) => {
    expectError(await post(named(`"ADA${sign}"`)), 400, `preferredCardName: ${unclean}`);
  });
  test.each([
    [
      'in a nested field',
      withValue(consumerCard(), 'kyc.residentialAddress.city', 'a\0b'),
      'kyc.residentialAddress.city',
    ],
    ['in an unknown field', { ...consumerCard(), note: 'a\0b' }, 'note'],
    ['in a list', { ...consumerCard(), notes: ['ok', 'a\0b'] }, 'notes[1]'],
    ['in the name of a field', { ...consumerCard(), 'a\0b': 1 }, 'body'],
  ])('a NUL %s is refused', async (_, body, path) => {
    expectError(await send('POST', CARDS, { body }), 400, `${path}: ${unclean}`);
  });
  test('a NUL is refused by the other operations', async () => {
    const block = await send('PUT', `${CARDS}x/block/`, { body: { reason: 'lost\0' } });
    expectError(block, 400, `reason: ${unclean}`);
    const kycApplicantId = 'a\0';
    const register = { kycApplicantId, customerType: 'Consumer', kyc: {} };
    const applicant = await send('POST', '/api/v1/sandbox/kyc-applicants/', { body: register });
    expectError(applicant, 400, `kycApplicantId: ${unclean}`);
  });

  test.each(['"true"', '"false"', '1', '0', 'null', '""', '[]', '{}'])(
    'freeze %s is not a boolean',
    async (value) => {
      const answer = await send('PUT', `${CARDS}x/freeze/`, { raw: `{"freeze":${value}}` });
      expectError(answer, 400, 'freeze: must be a boolean');
    },
  );

  test('no refused request above wrote anything', async () => {
    const accepted = 4;
    const { cards } = (await rowsWritten(app)) as { cards: number };
    expect(cards).toBe((before as { cards: number }).cards + accepted);
  });

  test('a complete surrogate pair and letters of any script are accepted', async () => {
    const answer = await post(named('"\\ud83d\\ude00 Ада 漢"'));
    expect(JSON.parse(answer.text)).toMatchObject({ cardName: '😀 Ада 漢' });
  });
  test('a byte order mark is accepted', async () => {
    expect((await post(`\ufeff${card}`)).status).toBe(201);
  });
  test('the same key twice in one object is refused', async () => {
    const twice = 'body: must not have the same key twice in one object';
    expectError(await post(card.replace(/}$/, ',"cardType":"virtual"}')), 400, twice);
    expectError(await post(card.replace('"kyc":{', '"kyc":{"x":1,"\\u0078":1,')), 400, twice);
  });
  test.each(['\\u202e', '\\u2066', '\\u200b', '\\u200d', '\\ufeff', '\\u2028', '\\u3164'])(
    'text with the invisible %s is refused',
    async (sign) => {
      expectError(await post(named(`"ADA${sign}B"`)), 400, `preferredCardName: ${unclean}`);
    },
  );

  test.each([
    ['__proto__', plus('"__proto__":{"cardType":"nonsense","polluted":true}')],
    ['constructor', plus('"constructor":{"prototype":{"polluted":true}}')],
    ['toString, hasOwnProperty', plus('"toString":1,"hasOwnProperty":1,"valueOf":1')],
    ['__proto__ inside', card.replace('"kyc":{', '"kyc":{"__proto__":{"polluted":true},')],
  ])('%s is ignored like any unknown field', async (_, raw) => {
    expect((await post(raw)).status).toBe(201);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
  test('a required field cannot come from __proto__', async () => {
    const body = withValue(consumerCard(), 'cardType', undefined);
    const raw = JSON.stringify(body).replace('{', '{"__proto__":{"cardType":"virtual"},');
    expectError(await post(raw), 400, 'cardType: is required');
  });

  test.each([
    ['beside the fields', (x: string) => plus(`"x":${x}`), 31],
    ['among the KYC data', (x: string) => card.replace('"kyc":{', `"kyc":{"x":${x},`), 30],
  ])('nesting %s is ignored like any unknown field, up to 32 levels', async (_, nest, most) => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect((await post(nest(deep(most)))).status).toBe(201);
    for (const levels of [most + 1, 30_000])
      expectError(await post(nest(deep(levels))), 400, 'body: must not be nested deeper than 32');
  });
  test('a body with thousands of values is refused', async () => {
    const list = (count: number) => plus(`"x":[${Array(count).fill(1).join()}]`);
    expect((await post(list(1_900))).status).toBe(201);
    expectError(await post(list(2_001)), 400, 'body: must contain at most 2000 values');
  });

  describe('the limit of 64 KiB', () => {
    const sized = (bytes: number) => plus(`"pad":"${'x'.repeat(bytes - plus('"pad":""').length)}"`);
    const tooLarge = 'body: must be at most 65536 bytes';
    const stream = (text: string) => new Blob([text]).stream() as never;

    test('65536 bytes are accepted', async () => {
      expect(Buffer.byteLength(sized(65_536))).toBe(65_536);
      expect((await post(sized(65_536))).status).toBe(201);
      expect((await post(stream(sized(65_536)))).status).toBe(201);
    });
    test('65537 bytes are refused', async () => {
      expectError(await post(sized(65_537)), 413, tooLarge);
    });
    test('65537 bytes without a content-length are refused', async () => {
      expectError(await post(stream(sized(65_537))), 413, tooLarge);
    });
    test('65536 characters with more bytes are refused', async () => {
      expectError(await post(sized(65_536).replace('xx', 'éé')), 413, tooLarge);
    });
  });
});

describe('query values', () => {
  const whole = 'must be a whole number';
  const date = 'must be a valid date, as YYYY-MM-DD';
  const unknown = 'is not a query parameter of this endpoint';
  const none = 'must not be given: this endpoint has no query parameters';
  const known =
    'externalCustomerId, metadata, lastFour, status, cardDesign, cardType, page, page_size, min_created, max_created, after, before';
  test.each([
    ['page=0', 'page: must be at least 1'],
    ['page=-1', `page: ${whole}`],
    ['page=1.5', `page: ${whole}`],
    ['page=one', `page: ${whole}`],
    ['page=', `page: ${whole}`],
    ['page=1e3', `page: ${whole}`],
    ['page=0x10', `page: ${whole}`],
    ['page=%201', `page: ${whole}`],
    ['page=1%00', `page: ${whole}`],
    ['page=%zz', `page: ${whole}`],
    ['page=1&page=2', 'page: must be given once'],
    ['page=1&page=1', 'page: must be given once'],
    ['min_created=&min_created=2024-01-01', 'min_created: must be given once'],
    ['page=99999999999999999999', `page: ${whole}`],
    ['page_size=0', 'page_size: must be at least 1'],
    ['page_size=101', 'page_size: must be at most 100'],
    ['min_created=', `min_created: ${date}`],
    ['min_created=2023-02-29', `min_created: ${date}`],
    ['min_created=%00', `min_created: ${date}`],
    ['max_created=2024-01-01%ff', `max_created: ${date}`],
    ['max_created=01.02.2024', `max_created: ${date}`],
    ['min_created=2024-02-02&max_created=2024-02-01', 'min_created: must not be after max_created'],
    ['after=%00', 'after: must be a record id from a `next` link'],
    ['pgae=2', `pgae: ${unknown}; did you mean page?`],
    ['Page=2', `Page: ${unknown}; did you mean page?`],
    ['page%5B%5D=2', `page[]: ${unknown}; did you mean page?`],
    ['minCreated=2024-01-01', `minCreated: ${unknown}; did you mean min_created?`],
    ['page=1&pagesize=10', `pagesize: ${unknown}; did you mean page_size?`],
    ['colour=red', `colour: ${unknown}; use ${known}`],
    ['=1', `query: ${unknown}; use ${known}`],
    ['__proto__=1', `__proto__: ${unknown}; use ${known}`],
    ['x=%00&x=1', `x: ${unknown}; use ${known}`],
    ['4111111111111111=1', `query: ${unknown}; use ${known}`],
    ['a123=1', `query: ${unknown}; use ${known}`],
    [`k${'e'.repeat(30)}y=1`, `query: ${unknown}; use ${known}`],
  ])('%s', async (query, message) => {
    expectError(await send('GET', `${CARDS}?${query}`), 400, message);
  });
  test.each(['', '&', 'page=1', 'page=00001', 'p%61ge=1'])('"%s" is accepted', async (query) => {
    expect((await send('GET', `${CARDS}?${query}`)).status).toBe(200);
  });

  test('every operation refuses a name that it does not know, and its own names given twice', async () => {
    const checked = operations.filter(({ template }) => !template.startsWith('/health/'));
    expect(checked.length).toBeGreaterThan(60);
    for (const operation of checked) {
      const { method, template, query } = operation;
      const path = template.replace(/\{\w+\}/g, 'x');
      const refused = async (text: string, rule: string) => {
        const answer = await sendAs(operation, `${path}?${text}`);
        const error = { code: 400, message: `${text.split('=')[0]}: ${rule}`, status: 'failed' };
        expect([method, template, JSON.parse(answer.text)]).toEqual([method, template, error]);
      };
      await refused('zzz=1', query.length > 0 ? `${unknown}; use ${query.join(', ')}` : none);
      for (const name of query) {
        const isPair = name === 'metadata';
        const message = isPair ? 'must be given as metadata[key]=value' : 'must be given once';
        await refused(`${name}=1&${name}=1`, message);
      }
    }
  });
  test('so do paths that are not in the document', async () => {
    for (const path of ['/openapi.json', '/metrics', '/reveal/x/', '/challenge/x/', '/console/api/session/'])
      expectError(await send('GET', `${path}?zzz=1`), 400, `zzz: ${none}`);
  });
  test('a refusal for the key, the path or the method comes first', async () => {
    expectError(await exchange(app.url, 'GET', `${CARDS}?zzz=1`), 401, 'Authentication failed');
    expectError(await send('GET', '/nope?zzz=1'), 404, 'No such path');
    expectError(await send('GET', '/console/api/nope?zzz=1'), 404, 'No such path');
    expectError(await send('DELETE', `${CARDS}?zzz=1`), 405, 'Method not allowed; use GET, HEAD, POST');
  });
  test('health, the documentation and the pages of the console accept any name', async () => {
    for (const path of ['/health/live', '/health/ready', '/docs', '/docs/guides', '/docs/js/scalar.js'])
      expect([path, (await send('GET', `${path}?zzz=1&zzz=2`)).status]).toEqual([path, 200]);
    const page = await send('GET', '/console/transactions?zzz=1&zzz=2');
    expect([page.status, page.text]).not.toEqual([400, expect.anything()]);
  });
});

describe('malformed or unusual HTTP', () => {
  const close = 'connection: close\r\n\r\n';
  test.each([
    ['garbage', 'GARBAGE\r\n\r\n', 400, 'The request is not valid HTTP'],
    ['a TLS greeting', '\x16\x03\x01\x02\x00', 400, 'The request is not valid HTTP'],
    [
      'two lengths',
      `POST ${CARDS} HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n`,
      400,
      'The request is not valid HTTP',
    ],
    ['no host', `GET /health/live HTTP/1.1\r\n${close}`, 400, 'host: is required'],
    [
      'too many headers',
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers: are too large; send fewer or shorter headers',
    ],
    [
      'a path without end',
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
      431,
      'headers: are too large; send fewer or shorter headers',
    ],
    [
      'an asterisk',
      `OPTIONS * HTTP/1.1\r\nhost: a\r\n${close}`,
      400,
      'The request target must be a path that begins with /',
    ],
    [
      'an absolute target',
      `GET http://a/health/live HTTP/1.1\r\nhost: a\r\n${close}`,
      400,
      'The request target must be a path that begins with /',
    ],
    [
      'two hosts',
      `GET /health/live HTTP/1.1\r\nhost: a\r\nHost: b\r\n${close}`,
      400,
      'host: must be given once',
    ],
  ])('%s', async (_, bytes, status, message) => {
    expectError(await rawExchange(app.url, bytes), status, message);
  });
  test('an unknown expectation is ignored', async () => {
    const bytes = `GET /health/live HTTP/1.1\r\nhost: a\r\nexpect: much\r\n${close}`;
    expect(await rawExchange(app.url, bytes)).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  });
});

describe('every response', () => {
  const answers: Record<string, () => Promise<Exchange>> = {
    '200': () => send('GET', CARDS),
    '200 without a key': () => exchange(app.url, 'GET', '/health/live'),
    '201': () => send('POST', CARDS, { body: consumerCard() }),
    '400': () => send('POST', CARDS, { body: {} }),
    '401': () => exchange(app.url, 'GET', CARDS),
    '404 of a record': () => send('GET', `${CARDS}x/`),
    '404 of a path': () => send('GET', '/nope'),
    '405': () => send('DELETE', CARDS),
    '413': () => send('POST', CARDS, { raw: ' '.repeat(65_537) }),
    '500': () => send('POST', CARDS, { body: consumerCard({ kycApplicantId: 'timeout' }) }),
    docs: () => exchange(app.url, 'GET', '/docs'),
  };
  test.each(Object.entries(answers))(
    '%s has a unique request id and the security headers',
    async (_, request) => {
      const [one, two] = [await request(), await request()];
      expect(one.headers.get('x-request-id')).toMatch(/^req_[0-9a-f-]{36}$/);
      expect(one.headers.get('x-request-id')).not.toBe(two.headers.get('x-request-id'));
      expect(one.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(one.headers.get('x-content-type-options')).toBe('nosniff');
      expect(one.headers.get('strict-transport-security')).toContain('max-age=');
      expect(one.headers.get('referrer-policy')).toBe('no-referrer');
      expect(one.headers.get('x-powered-by')).toBeNull();
      expect(one.headers.get('server')).toBeNull();
    },
  );
  test('a request id of the client is ignored', async () => {
    const answer = await send('GET', CARDS, { headers: { 'x-request-id': 'mine' } });
    expect(answer.headers.get('x-request-id')).not.toBe('mine');
  });
  test('a message never contains what was sent', async () => {
    const number = '4111111111111111';
    const body = { ...consumerCard(), customerType: number, cardType: number, [number]: `${number}\0` };
    for (const sent of [body, { ...body, [number]: 1 }, consumerCard({ cardDesign: number })])
      expect((await send('POST', CARDS, { body: sent })).text).not.toContain(number);
    const path = await send('GET', `/${number}/`);
    expect(path.text).not.toContain(number);
  });
});
