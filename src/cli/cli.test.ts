import { describe, expect, test } from 'vitest';
import { CARDS, createCard } from '../../test/support/cards/cards.ts';
import { freshDatabase } from '../../test/support/database/database.ts';
import { runCli } from '../../test/support/server/cli.ts';
import { appForTests } from '../../test/support/server/test-app.ts';
import { SCOPES } from '../programs/program.ts';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

const app = appForTests();
/** Runs the command on the database of the running app. */
const emboss = (...args: string[]) => runCli(app.env, args);

describe('exit codes', () => {
  test.each([
    ['no command at all', []],
    ['a group without its command', ['program']],
    ['an unknown command', ['strat']],
    ['an unknown command of a group', ['key', 'make']],
    ['an unknown option', ['program', 'list', '--all']],
    ['a word too many', ['program', 'list', 'please']],
    ['a missing argument', ['key', 'revoke']],
    ['a missing option', ['program', 'create', '--name', 'Acme']],
    ['an unknown mode', ['program', 'create', '--name', 'Acme', '--currency', 'EUR', '--mode', 'test']],
    [
      'a live program without a BIN',
      ['program', 'create', '--name', 'A', '--currency', 'EUR', '--mode', 'live'],
    ],
    ['nothing to change', ['program', 'set']],
    ['nothing to change in a design', ['design', 'set', 'black']],
    ['an unknown scope', ['key', 'create', '--scopes', 'read,all']],
    ['a day that does not exist', ['key', 'create', '--expires', '2027-02-30']],
    ['no duration', ['key', 'rotate', 'abcd', '--overlap', 'soon']],
    ['neither true nor false', ['design', 'set', 'black', '--stock', 'yes']],
    ['an unknown purpose', ['vault', 'rotate', '--purpose', 'all']],
    ['no amount to fund with', ['program', 'fund']],
    ['an amount that is none', ['program', 'fund', '--amount', 'ten']],
    ['a negative amount', ['program', 'fund', '--amount', '-5']],
    ['an amount with an exponent', ['program', 'set', '--atm-fee', '1e3']],
    ['half a basis point', ['program', 'set', '--fx-fee-bps', '1.5']],
    ['no whole number of days', ['program', 'set', '--hold-days', 'seven']],
    ['an unknown authorization mode', ['program', 'set', '--authorization-mode', 'real_time']],
    ['neither true nor false for a program', ['program', 'set', '--enforce-master-balance', '1']],
    ['a ledger command that does not exist', ['ledger', 'repair']],
    ['a demo without cards', ['demo', '--cards', '0']],
    ['a demo beyond all measure', ['demo', '--days', '367']],
    ['a seed that is no number', ['demo', '--seed', 'x']],
  ])('2 for wrong usage: %s', async (_name, args) => {
    const plain = await emboss(...args);
    expect(plain).toMatchObject({ code: 2, out: '' });
    expect(plain.err).not.toBe('');
    const { code, json } = await emboss(...args, '--json');
    expect(code).toBe(2);
    expect(json).toEqual({ code: 400, message: expect.any(String), status: 'failed' });
  });

  test.each([
    ['program', ['program', 'show', 'Unknown']],
    ['program', ['program', 'set', UNKNOWN_ID, '--name', 'Acme']],
    ['program', ['key', 'list', '--program', 'Unknown']],
    ['program', ['design', 'list', '--program', 'Unknown']],
    ['key', ['key', 'rotate', UNKNOWN_ID]],
    ['key', ['key', 'revoke', 'not-a-key']],
    ['design', ['design', 'set', 'pink', '--stock', 'true']],
    ['program', ['program', 'fund', 'Unknown', '--amount', '5']],
    ['program', ['ledger', 'verify', UNKNOWN_ID]],
  ])('3 for a %s that does not exist: %j', async (what, args) => {
    const { code, json, err } = await emboss(...args, '--json');
    expect(code).toBe(3);
    expect(json).toEqual({
      code: 404,
      message: expect.stringContaining(`There is no ${what} "`),
      status: 'failed',
    });
    expect(err).toBe(`emboss: ${json.message}\n`);
  });

  test.each<[string, number, string[]]>([
    ['currency', 400, ['program', 'create', '--name', 'Acme', '--currency', 'EURO']],
    ['bin', 400, ['program', 'set', '--bin', '12345']],
    ['bin', 400, ['program', 'set', '--bin', '456700']],
    [
      'bin',
      400,
      [
        'program',
        'create',
        '--name',
        'Acme',
        '--currency',
        'EUR',
        '--mode',
        'live',
        '--bin',
        '999912',
        '--kyc-provider',
        'sumsub',
      ],
    ],
    ['name', 400, ['program', 'set', '--name', 'a\u001b[31mb']],
    ['name', 400, ['key', 'create', '--name', ' ']],
    ['name', 400, ['program', 'set', '--name', 'Acme 9999.0000.8807.7395']],
    ['name', 400, ['key', 'create', '--name', 'for 9999_0000_8807_7395']],
    ['name', 400, ['design', 'set', 'black', '--name', '9999 0000 8807 7395']],
    ['id', 400, ['design', 'add', '9999-0000-8807-7395', '--name', 'Black']],
    ['name', 400, ['operator', 'add', 'a@b.example', '--name', '9999/0000/8807/7395']],
    ['expiresAt', 400, ['key', 'create', '--expires', '2001-01-01']],
    ['id', 400, ['design', 'add', 'no spaces', '--name', 'Black']],
    ['id', 409, ['design', 'add', 'black', '--name', 'Black']],
    ['amount', 400, ['program', 'fund', '--amount', '0']],
    ['amount', 400, ['program', 'fund', '--amount', '10.001']],
    ['amount', 400, ['program', 'fund', '--amount', '99999999999999.00']],
    ['reference', 400, ['program', 'fund', '--amount', '5', '--reference', 'a\u0007b']],
    ['atmFee', 400, ['program', 'set', '--atm-fee', '1.005']],
    ['atmFee', 400, ['program', 'set', '--atm-fee', '99999999999999']],
  ])('1 for a refused command, with the reason: %s', async (field, code, args) => {
    const answer = await emboss(...args, '--json');
    expect(answer.code).toBe(1);
    expect(answer.json).toEqual({ code, message: expect.stringContaining(`${field}: `), status: 'failed' });
    expect(answer.err).not.toContain('    at ');
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['a bad setting', { PORT: 'eighty' }, /^emboss: PORT must be a whole number/],
    ['no master key', { EMBOSS_MASTER_KEY: '' }, /^emboss: EMBOSS_MASTER_KEY must be set/],
    [
      'no database',
      { DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z' },
      /the database does not respond .*ECONNREFUSED/,
    ],
    [
      'no connection URL',
      { DATABASE_URL: 'postgres://x:sesame@[/z' },
      /^emboss: DATABASE_URL is not a connection/,
    ],
  ])('1 if the command cannot run: %s', async (_name, changes, sentence) => {
    const { code, out, err } = await runCli({ ...app.env, ...changes }, ['program', 'list']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(sentence);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).not.toContain('sesame');
  });

  test('a stack trace is shown only with LOG_LEVEL=debug', async () => {
    const away = { ...app.env, DATABASE_URL: 'postgres://x:sesame@127.0.0.1:1/z', LOG_LEVEL: 'debug' };
    const { err } = await runCli(away, ['program', 'list']);
    expect(err).toContain('    at ');
    expect(err).not.toContain('sesame');
  });

  test('--help documents the exit codes; --help and --version end with 0', async () => {
    const { code, out } = await emboss('--help');
    expect(code).toBe(0);
    for (const line of [
      '0  done',
      '1  refused or failed',
      '2  wrong usage',
      '3  the program, key, operator or design',
    ])
      expect(out).toContain(line);
    expect(await emboss('--version')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    expect(await emboss('help', 'key')).toMatchObject({ code: 0, out: expect.stringContaining('rotate') });
  });
});

describe('program', () => {
  test('create, show, set and list', async () => {
    const created = await emboss('program', 'create', '--name', 'Acme Live', '--mode', 'live', '--currency', 'JPY',
      '--bin', '45670012', '--kyc-provider', 'sumsub', '--json'); // biome-ignore format: one command
    expect(created.code).toBe(0);
    const expected = {
      id: created.json.id,
      name: 'Acme Live',
      mode: 'live',
      currency: 'JPY',
      bin: '45670012',
      kycProvider: 'sumsub',
    };
    expect(created.json).toEqual({
      ...expected,
      created: expect.any(String),
      now: expect.any(String),
      authorizationMode: 'STANDARD',
      enforceMasterBalance: false,
      holdDays: 7,
      longHoldDays: 30,
      challengeAbove: null,
      requireAuthenticationAbove: null,
      secondPersonAbove: null,
      authenticationDays: 90,
      overHoldPercent: 20,
      rulesGuardPercent: 5,
      allowedExemptions: [],
      supportLimitFactor: 2,
      supportLimitDays: 7,
      fees: {
        fxFeeBps: 0,
        interchangeBps: 0,
        cashInterchangeBps: 0,
        transactionCostBps: 0,
        atmFee: '0',
        transactionCost: '0',
        virtualIssuanceFee: '0',
        physicalIssuanceFee: '0',
        maintenanceFee: '0',
      },
      balances: { balance: '0', held: '0', available: '0' },
    });
    expect((await emboss('program', 'show', 'acme live', '--json')).json).toMatchObject(expected);
    expect((await emboss('program', 'show', created.json.id)).out).toContain('45670012');
    const changed = await emboss(
      'program',
      'set',
      created.json.id,
      '--name',
      'Acme',
      '--bin',
      '456701',
      '--json',
    );
    expect(changed.json).toMatchObject({ ...expected, name: 'Acme', bin: '456701' });
    const { json } = await emboss('program', 'list', '--json');
    expect(json.programs).toContainEqual(expect.objectContaining({ id: created.json.id, name: 'Acme' }));
    expect((await emboss('program', 'list')).out.split('\n')[0]).toMatch(
      /^ID +NAME +MODE +CURRENCY +BIN +KYC$/,
    );
  });

  test('a name belongs to one program, in any case', async () => {
    const create = (name: string) =>
      emboss('program', 'create', '--name', name, '--currency', 'EUR', '--json');
    const { json: first } = await create('Twin');
    const { json: second } = await create('Twin 2');
    for (const taken of [
      await create('twin'),
      await create('TWIN'),
      await emboss('program', 'set', second.id, '--name', 'tWin', '--json'),
    ]) {
      expect({ code: taken.code, inside: taken.json.code }).toEqual({ code: 1, inside: 400 });
      expect(taken.err).toContain('name: is already the name of another program');
    }
    expect((await emboss('program', 'show', 'TWIN', '--json')).json.id).toBe(first.id);
    const renamed = await emboss('program', 'set', first.id, '--name', 'TWIN', '--json');
    expect(renamed.json).toMatchObject({ id: first.id, name: 'TWIN' });
  });

  test('a command that names none of several programs lists them and selects none', async () => {
    const { program } = await app.addProgram();
    const { code, json, err } = await emboss('design', 'list', '--json');
    expect({ code, inside: json.code }).toEqual({ code: 1, inside: 409 });
    for (const { id } of [app.program, program]) expect(err).toContain(id);
  });

  test('a live program refuses the sandbox KYC provider, when it is created and later', async () => {
    const live = ['program', 'create', '--name', 'Live KYC', '--mode', 'live', '--currency', 'EUR'];
    const given = [...live, '--bin', '45670013', '--json'];
    for (const sandbox of [[], ['--kyc-provider', 'sandbox']]) {
      const { code, err } = await emboss(...given, ...sandbox);
      expect(code).toBe(2);
      expect(err).toContain('a live program requires --kyc-provider other than sandbox');
    }
    const { json } = await emboss(...given, '--kyc-provider', 'sumsub');
    const changed = await emboss('program', 'set', json.id, '--kyc-provider', 'sandbox', '--json');
    expect({ code: changed.code, inside: changed.json.code }).toEqual({ code: 1, inside: 400 });
    expect((await emboss('program', 'show', json.id, '--json')).json.kycProvider).toBe('sumsub');
  });
});

describe('design', () => {
  test('add, list and set; the API shows the same', async () => {
    const { program, key } = await app.addProgram();
    const of = ['--program', program.id, '--json'];
    const gold = { id: 'gold', name: 'Gold', stock: false, default: true, embossNameSupported: false };
    const ours = { retired: false, look: { from: '#5f420f', to: '#c1923a', pattern: 'arcs' } };
    const added = await emboss(
      'design',
      'add',
      'gold',
      '--name',
      'Gold',
      '--no-stock',
      '--default',
      '--no-emboss-name',
      ...['--look', '#5f420f #c1923a arcs'],
      ...of,
    );
    expect(added).toMatchObject({ code: 0, json: { ...gold, ...ours } });
    const { body } = await app.call('GET', '/api/v1/merchant/card-design/', { key });
    expect(body.cardDesigns).toContainEqual(gold);
    expect(body.cardDesigns.filter((design: { default: boolean }) => design.default)).toHaveLength(1);
    const { json: list } = await emboss('design', 'list', ...of);
    expect(list.cardDesigns).toMatchObject(body.cardDesigns);
    const set = ['--stock', 'true', '--emboss-name', 'true', '--name', 'Old Gold'];
    expect((await emboss('design', 'set', 'gold', ...set, ...of)).json).toEqual({
      ...gold,
      name: 'Old Gold',
      stock: true,
      embossNameSupported: true,
      ...ours,
    });
    expect((await emboss('design', 'set', 'black', '--default', ...of)).json).toMatchObject({
      default: true,
    });
    const names = (await emboss('design', 'list', '--program', program.id)).out;
    expect(names).toMatch(/^black +Black +yes +yes +yes +no$/m);
    expect(names).toMatch(/^gold +Old Gold +yes +no +yes +no$/m);
  });
});

describe('key', () => {
  const works = async (key: string) => (await app.call('GET', CARDS, { key })).status;

  test('a created key works immediately, and a revoked key is refused immediately', async () => {
    const { code, json } = await emboss(
      'key',
      'create',
      '--program',
      app.program.id,
      '--name',
      'shop',
      '--json',
    );
    expect(code).toBe(0);
    expect(json).toMatchObject({
      kind: 'merchant',
      name: 'shop',
      scopes: ['read', 'write'],
      status: 'active',
      expiresAt: null,
    });
    expect(await works(json.key)).toBe(200);
    const revoked = await emboss('key', 'revoke', json.id, '--json');
    expect(revoked.json).toMatchObject({ id: json.id, status: 'revoked', revokedAt: expect.any(String) });
    expect(await works(json.key)).toBe(401);
    expect((await emboss('key', 'revoke', json.id, '--json')).json).toEqual(revoked.json);
  });

  test('a key can be selected by its last four characters', async () => {
    const { json } = await emboss('key', 'create', '--program', app.program.id, '--json');
    expect(json.hint).toBe(`…${json.key.slice(-4)}`);
    expect((await emboss('key', 'revoke', json.key.slice(-4), '--json')).json).toMatchObject({ id: json.id });
  });

  test('a key has the scopes that were given, in the API too', async () => {
    const { json } = await emboss(
      'key',
      'create',
      '--program',
      app.program.id,
      '--scopes',
      'credentials, read',
      '--json',
    );
    expect(json.scopes).toEqual(['read', 'credentials']);
    // The merchant receives an event about a key that can reveal card numbers.
    const { body: events } = await app.call('GET', '/api/v1/merchant/webhook-events/');
    expect(events.results[0]).toMatchObject({
      eventName: 'security.credentials_key_created',
      data: { keyId: json.id, hint: json.hint, createdBy: expect.stringMatching(/^cli:/), address: null },
    });
    expect(await works(json.key)).toBe(200);
    expect((await app.call('POST', CARDS, { key: json.key, body: {} })).status).toBe(403);
    const network = await emboss('key', 'create', '--program', app.program.id, '--kind', 'network', '--json');
    expect(network.json).toMatchObject({
      kind: 'network',
      scopes: SCOPES.network,
      key: expect.stringMatching(/^emboss_sandbox_network_/),
    });
    expect(await works(network.json.key)).toBe(401);
  });

  test('a network key has scopes of the network', async () => {
    const create = ['key', 'create', '--program', app.program.id, '--kind', 'network', '--json'];
    const { json } = await emboss(...create, '--scopes', 'fulfilment,clearing');
    expect(json.scopes).toEqual(['clearing', 'fulfilment']);
    const list = await emboss('key', 'list', '--program', app.program.id);
    expect(list.out).toMatch(new RegExp(`${json.hint} +clearing,fulfilment +active`));
    const { json: next } = await emboss('key', 'rotate', json.id, '--json');
    expect(next.scopes).toEqual(['clearing', 'fulfilment']);
  });

  test.each([
    ['network', 'read', 'authorizations, clearing, disputes, fulfilment'],
    ['network', 'authorizations,write', 'authorizations, clearing, disputes, fulfilment'],
    ['merchant', 'fulfilment', 'read, write, credentials, reveal, decisions, rules'],
  ])('a %s key with the scopes %s is refused', async (kind, scopes, known) => {
    const { code, json } = await emboss('key', 'create', '--kind', kind, '--scopes', scopes, '--json');
    expect(code).toBe(2);
    expect(json.message).toBe(`--scopes of a ${kind} key must be one or more of ${known}`);
  });

  test('rotation keeps the scopes and ends the old key after the overlap', async () => {
    const create = [
      'key',
      'create',
      '--program',
      app.program.id,
      '--scopes',
      'read',
      '--expires',
      '2099-12-31',
      '--json',
    ];
    const old = (await emboss(...create)).json;
    expect(old.expiresAt).toBe('2100-01-01T00:00:00.000Z');
    const { json } = await emboss('key', 'rotate', old.id, '--overlap', '30m', '--json');
    expect(json).toMatchObject({ replacesId: old.id, scopes: ['read'], expiresAt: old.expiresAt });
    expect([await works(old.key), await works(json.key)]).toEqual([200, 200]);
    const { keys } = (await emboss('key', 'list', '--program', app.program.id, '--json')).json;
    const end = Date.parse(keys.find((key: { id: string }) => key.id === old.id).expiresAt);
    expect(Math.abs(end - Date.now() - 30 * 60_000)).toBeLessThan(60_000);
    const next = await emboss('key', 'rotate', json.id, '--overlap', '0s', '--expires', 'never', '--json');
    expect(next.json.expiresAt).toBeNull();
    expect(await works(json.key)).toBe(401);
    expect(await emboss('key', 'rotate', json.id, '--json')).toMatchObject({ code: 1, json: { code: 409 } });
  });

  test('a key is shown once and stored only as a digest', async () => {
    const { out } = await emboss('key', 'create', '--program', app.program.id);
    const key = /emboss_sandbox_merchant_\S+/.exec(out)?.[0] as string;
    expect(out.split(key)).toHaveLength(2);
    expect(out).toContain('shown only once');
    const list = await emboss('key', 'list', '--program', app.program.id);
    expect(list.out).toContain(`…${key.slice(-4)}`);
    expect(list.out + list.err).not.toContain(key);
    expect((await emboss('key', 'list', '--program', app.program.id, '--json')).out).not.toContain(key);
    for (const name of ['api_keys', 'audit_entries'])
      expect(JSON.stringify(await app.sql(`select t::text from ${name} t`))).not.toContain(key.slice(24));
  });
});

test('changes are audited with the operating system’s user', async () => {
  const { json } = await emboss('program', 'create', '--name', 'Audited', '--currency', 'EUR', '--json');
  await emboss('program', 'set', json.id, '--bin', '999988');
  await emboss('design', 'add', 'black', '--name', 'Black', '--program', json.id);
  await emboss('key', 'create', '--program', json.id);
  const rows = await app.sql('select actor, action from audit_entries where program_id = $1 order by id', [
    json.id,
  ]);
  expect(rows.map((row) => row['action'])).toEqual([
    'program.created',
    'program.updated',
    'design.added',
    'key.created',
  ]);
  for (const row of rows) expect(row['actor']).toMatch(/^cli:.+/);
});

describe('if there is one program, it need not be named', () => {
  test('without any program, the command explains how to create one', async () => {
    const alone = { ...app.env, DATABASE_URL: await freshDatabase() };
    expect(await runCli(alone, ['key', 'list'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('program create'),
    });
    expect(await runCli(alone, ['program', 'list'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('No programs yet'),
    });
    await runCli(alone, ['program', 'create', '--name', 'Only', '--currency', 'EUR']);
    for (const args of [
      ['program', 'show'],
      ['program', 'set', '--name', 'Sole'],
      ['key', 'list'],
      ['key', 'create'],
      ['design', 'list'],
    ])
      expect(await runCli(alone, args)).toMatchObject({ code: 0, err: '' });
  });
});

test('migrate prints the migrations it applied', async () => {
  expect(await emboss('migrate')).toMatchObject({ code: 0, out: 'The schema is up to date.\n' });
  expect(await emboss('migrate', '--json')).toMatchObject({ code: 0, json: { applied: [] } });
});

describe('vault', () => {
  test('rotate creates new keys, status and retire list them, and cards stay readable', async () => {
    const card = await createCard(app);
    const before = await app.call('GET', `${CARDS}${card.id}/credentials/`);
    const rotated = await emboss('vault', 'rotate', '--json');
    expect(rotated.code).toBe(0);
    const done = { retiredKeyIds: [], needs: [], renewed: 0 };
    expect(rotated.json.rotations).toEqual([
      { ...done, purpose: 'card-number', newKeyId: 8, renewed: 1, waitingKeyIds: [1] },
      { ...done, purpose: 'personal-data', newKeyId: 9, renewed: expect.any(Number), waitingKeyIds: [2] },
      { ...done, purpose: 'fingerprint', newKeyId: 10, renewed: 1, waitingKeyIds: [3] },
      { ...done, purpose: 'cvv', newKeyId: 11, waitingKeyIds: [4] },
      { ...done, purpose: 'digest', newKeyId: 12, waitingKeyIds: [5] },
      { ...done, purpose: 'search', newKeyId: 13, waitingKeyIds: [6] },
      { ...done, purpose: 'history', newKeyId: 14, waitingKeyIds: [7] },
    ]);
    const { json } = await emboss('vault', 'status', '--json');
    const card1 = json.keys.filter((key: { purpose: string }) => key.purpose === 'card-number');
    expect(card1).toMatchObject([
      { id: 1, state: 'replaced', resealedAt: null, openedBy: 'current' },
      { id: 8, resealedAt: expect.any(String), openedBy: 'current' },
    ]);
    expect((await app.call('GET', `${CARDS}${card.id}/credentials/`)).body).toEqual(before.body);
    const retired = await emboss('vault', 'retire', '--purpose', 'card-number', '--json');
    expect(retired.json.rotations).toMatchObject([{ newKeyId: 8, renewed: 0, waitingKeyIds: [1] }]);
    expect((await emboss('vault', 'rewrap')).out).toContain('already');
  });
});
