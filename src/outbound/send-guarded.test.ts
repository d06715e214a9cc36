import { createServer } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOCAL_ADDRESSES } from '../../test/support/webhooks/addresses.ts';
import { type Certificate, makeCertificate } from '../../test/support/webhooks/certificates.ts';
import { answerWith, listen, type Receiver, startReceiver } from '../../test/support/webhooks/receiver.ts';
import { createAddressRules, PUBLIC_ONLY } from './address-rules.ts';
import { createSender, type Sender, type SendRequest } from './send-request.ts';

const REFUSED = { error: 'address not allowed', kind: 'unreachable', durationMs: expect.any(Number) };
const post = (from: Sender, url: string, more: Partial<SendRequest> = {}) =>
  from.sendRequest({ url, headers: {}, body: '{}', reach: 'live', timeoutMs: 5_000, ...more });

const resolveTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

/** Closes the sender after use, even after a failure. */
async function using<Result>(from: Sender, work: (from: Sender) => Promise<Result>): Promise<Result> {
  try {
    return await work(from);
  } finally {
    from.closeAgents();
  }
}

describe('a request of a live program', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    // Closes every connection, so that each request resolves and connects again.
    receiver = await startReceiver(answerWith(200, 'internal secret', { connection: 'close' }));
  });
  afterAll(() => receiver.close());

  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '017700000001',
    '0177.1',
    '127.0.0.1.',
    '①②⑦.0.0.1',
    '0.0.0.0',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
  ])('to %s makes no connection', async (host) => {
    const before = receiver.connections.made;
    await using(createSender(LOCAL_ADDRESSES), async (from) => {
      for (const scheme of ['http', 'https'])
        expect(await post(from, `${scheme}://${host}:${receiver.port}/`)).toEqual(REFUSED);
    });
    expect(receiver.connections.made).toBe(before);
  });

  test.each([
    ['127.0.0.1'],
    ['::1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['::ffff:127.0.0.1'],
    ['::ffff:7f00:1'],
    ['64:ff9b::7f00:1'],
    ['fe80::1%lo'],
    ['0x7f.1'],
    ['127.0.0.1', '8.8.8.8'],
    ['8.8.8.8', '127.0.0.1'],
    ['2606:4700:4700::1111', '8.8.8.8', '::1'],
  ])('to a name that resolves to %s, %s, %s makes no connection', async (...addresses) => {
    const before = receiver.connections.made;
    await using(createSender(LOCAL_ADDRESSES, { resolve: resolveTo(...addresses) }), async (from) => {
      // A connection for one request alone takes checked addresses only, like a kept one.
      for (const isFresh of [false, true])
        for (const scheme of ['http', 'https'])
          expect(await post(from, `${scheme}://a.example:${receiver.port}/`, { isFresh })).toEqual(REFUSED);
    });
    expect(receiver.connections.made).toBe(before);
  });

  test('to localhost makes no connection, for any resolver', async () => {
    const before = receiver.connections.made;
    await using(createSender(LOCAL_ADDRESSES), async (from) => {
      const result = await post(from, `http://localhost:${receiver.port}/`, { timeoutMs: 1_000 });
      expect(result).toMatchObject({ error: expect.any(String) });
    });
    expect(receiver.connections.made).toBe(before);
  });

  test('is checked at every connection: a name that changes to a private address is refused', async () => {
    const answers = ['127.0.0.1', '127.0.0.1', '127.0.0.2', '127.0.0.1'];
    const resolve = async () => [{ address: answers.shift() ?? '', family: 4 }];
    const live = { ...PUBLIC_ONLY, allows: (address: string) => address === '127.0.0.1' };
    await using(createSender({ ...LOCAL_ADDRESSES, live }, { resolve }), async (from) => {
      const url = `http://moving.example:${receiver.port}/`;
      expect(await post(from, url)).toMatchObject({ statusCode: 200 });
      expect(await post(from, url)).toMatchObject({ statusCode: 200 });
      expect(await post(from, url)).toEqual(REFUSED);
      expect(await post(from, url)).toMatchObject({ statusCode: 200 });
    });
  });

  test('never uses a connection that was opened without the check', async () => {
    const keeping = await startReceiver(answerWith(200));
    await using(createSender(LOCAL_ADDRESSES, { resolve: resolveTo('127.0.0.1') }), async (from) => {
      const url = `http://a.example:${keeping.port}/`;
      expect(await post(from, url, { reach: 'anywhere' })).toMatchObject({ statusCode: 200 });
      expect(await post(from, url)).toEqual(REFUSED);
      expect(await post(from, url, { reach: 'anywhere' })).toMatchObject({ statusCode: 200 });
      expect(keeping.connections.made).toBe(1);
    });
    await keeping.close();
  });

  test('does not follow a redirect to a private address', async () => {
    const location = `http://127.0.0.1:${receiver.port}/`;
    const outside = await startReceiver(answerWith(302, '', { location }));
    const before = receiver.connections.made;
    const live = { ...PUBLIC_ONLY, allows: () => true };
    await using(
      createSender({ ...LOCAL_ADDRESSES, live }, { resolve: resolveTo('127.0.0.1') }),
      async (from) => {
        expect(await post(from, `http://a.example:${outside.port}/`)).toMatchObject({ statusCode: 302 });
      },
    );
    expect(receiver.connections.made).toBe(before);
    await outside.close();
  });
});

describe('a request of a sandbox program', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver(answerWith(200, 'internal secret', { connection: 'close' }));
  });
  afterAll(() => receiver.close());

  type Settings = Parameters<typeof createAddressRules>[0];
  const CLOSED: Settings = { loopback: 'refused', privateRanges: [], sandboxPrograms: true };
  const rulesOf = (settings: Partial<Settings>) => createAddressRules({ ...CLOSED, ...settings });
  const NOT_LISTED = {
    error: 'address not allowed; see WEBHOOK_PRIVATE_ADDRESSES',
    kind: 'unreachable',
    durationMs: expect.any(Number),
  };

  test.each<[Settings['loopback'], object]>([
    ['shown', { statusCode: 200, answerStart: 'internal secret' }],
    ['silent', { statusCode: 200, answerStart: '' }],
    ['refused', NOT_LISTED],
  ])('to loopback, where that is %s', async (loopback, result) => {
    const before = receiver.connections.made;
    await using(createSender(rulesOf({ loopback })), async (from) => {
      for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost'])
        expect(await post(from, `http://${host}:${receiver.port}/`, { reach: 'sandbox' })).toMatchObject(
          result,
        );
    });
    expect(receiver.connections.made - before).toBe(loopback === 'refused' ? 0 : 3);
  });

  test('to a listed address is sent, and its response is shown', async () => {
    await using(createSender(rulesOf({ privateRanges: ['127.0.0.0/8'] })), async (from) => {
      const result = await post(from, `http://127.0.0.1:${receiver.port}/`, { reach: 'sandbox' });
      expect(result).toMatchObject({ statusCode: 200, answerStart: 'internal secret' });
    });
  });

  test.each(['0.0.0.0', '10.0.0.1', '169.254.169.254', '64:ff9b::7f00:1', '::', 'fd00:ec2::254'])(
    'to %s makes no connection, by name or address, even if loopback is allowed',
    async (address) => {
      const host = address.includes(':') ? `[${address}]` : address;
      const before = receiver.connections.made;
      await using(
        createSender(rulesOf({ loopback: 'shown' }), { resolve: resolveTo(address, '127.0.0.1') }),
        async (from) => {
          for (const to of [host, 'a.example'])
            expect(await post(from, `http://${to}:${receiver.port}/`, { reach: 'sandbox' })).toEqual(
              NOT_LISTED,
            );
        },
      );
      expect(receiver.connections.made).toBe(before);
    },
  );

  test.each<[string[], string, boolean]>([
    [['10.20.0.0/16'], '10.20.255.1', true],
    [['10.20.0.0/16'], '::ffff:10.20.0.1', true],
    [['10.20.0.0/16'], '10.21.0.1', false],
    [['10.20.0.0/16'], '64:ff9b::10.20.0.1', false],
    [['192.168.1.7', 'fd12::/16'], '192.168.1.7', true],
    [['192.168.1.7', 'fd12::/16'], '192.168.1.8', false],
    [['192.168.1.7', 'fd12::/16'], 'fd12::1', true],
    [['192.168.1.7', 'fd12::/16'], 'fd12::1%eth0', false],
    [['128.0.0.0/1'], '172.16.0.1', true],
    // Addresses at which clouds serve credentials: only a range within these ranges allows them.
    [['128.0.0.0/1'], '169.254.169.254', false],
    [['128.0.0.0/1'], '::ffff:169.254.169.254', false],
    [['8000::/1'], 'fe80::1', false],
    [['8000::/1'], 'fd00:ec2::254', false],
    [['100.64.0.0/10'], '100.100.100.200', false],
    [['169.254.10.0/24'], '169.254.10.1', true],
    [['169.254.10.0/24'], '169.254.169.254', false],
    [['169.254.169.254'], '169.254.169.254', true],
  ])('with %j listed: %s is allowed: %s', (privateRanges, address, allowed) => {
    const { sandbox, live } = rulesOf({ privateRanges });
    expect(sandbox.allows(address)).toBe(allowed);
    expect(live.allows(address)).toBe(false);
  });

  test('is not sent while sandbox programs are off', async () => {
    const addresses = rulesOf({ loopback: 'shown', privateRanges: ['127.0.0.0/8'], sandboxPrograms: false });
    const before = receiver.connections.made;
    await using(createSender(addresses), async (from) => {
      for (const host of ['127.0.0.1', 'localhost'])
        expect(await post(from, `http://${host}:${receiver.port}/`, { reach: 'sandbox' })).toMatchObject({
          error: 'not sent: SANDBOX_PROGRAMS is off',
        });
    });
    expect(receiver.connections.made).toBe(before);
  });
});

describe('TLS', () => {
  const DAY_MS = 86_400_000;
  const authority = makeCertificate({ name: 'Authority of the test', isAuthority: true });
  const unknown = makeCertificate({ name: 'Unknown authority', isAuthority: true });

  async function sendTo({ cert, key }: Certificate, chain = ''): Promise<unknown> {
    const server = createServer({ cert: cert + chain, key }, (request, response) => {
      request.resume();
      response.end('ok');
    });
    server.on('tlsClientError', () => {});
    const receiver = await listen(server);
    const options = { resolve: resolveTo('127.0.0.1'), ca: authority.cert };
    const result = await using(createSender(LOCAL_ADDRESSES, options), (from) =>
      post(from, `https://receiver.example:${receiver.port}/`, { reach: 'sandbox' }),
    );
    await receiver.close();
    return 'error' in result ? result.error : result.answerStart;
  }
  const certificate = (more: Partial<Parameters<typeof makeCertificate>[0]> = {}) =>
    makeCertificate({ name: 'receiver.example', issuer: authority, ...more });

  test('a valid certificate of a known authority is accepted', async () => {
    expect(await sendTo(certificate())).toBe('ok');
  });

  test.each<[string, string, () => Certificate, string]>([
    ['for another host', 'issued for another host', () => certificate({ name: 'other.example' }), ''],
    ['that has expired', 'expired', () => certificate({ toMs: Date.now() - DAY_MS / 2 }), ''],
    ['of tomorrow', 'not valid yet', () => certificate({ fromMs: Date.now() + DAY_MS / 2 }), ''],
    ['that signs itself', 'self-signed', () => makeCertificate({ name: 'receiver.example' }), ''],
    ['of an unknown authority', 'unknown issuer', () => certificate({ issuer: unknown }), ''],
    ['with its own authority', 'issuer not trusted', () => certificate({ issuer: unknown }), unknown.cert],
  ])('a certificate %s is refused', async (_what, why, make, chain) => {
    expect(await sendTo(make(), chain)).toBe(`certificate not valid: ${why}`);
  });

  test('a refused certificate is refused for any environment variables', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect(await sendTo(certificate({ issuer: unknown }))).toBe('certificate not valid: unknown issuer');
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });

  test('a receiver that does not speak TLS is reported as such', async () => {
    const plain = await startReceiver(answerWith(200));
    const result = await using(createSender(LOCAL_ADDRESSES), (from) =>
      post(from, `https://127.0.0.1:${plain.port}/`, { reach: 'sandbox' }),
    );
    expect(result).toMatchObject({ error: 'TLS failed' });
    await plain.close();
  });
});
