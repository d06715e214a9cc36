import { beforeAll, describe, expect, test } from 'vitest';
import { CARDS, consumerCard, createCard } from '../../support/cards/cards.ts';
import { PASSWORD, type SignedIn, signInAs } from '../../support/console/operators.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests();
let admin: SignedIn;
beforeAll(async () => {
  admin = await signInAs(app, 'admin');
});

const password = PASSWORD;
const auditsOf = (action: string) =>
  app.sql(
    'select actor, before, after from audit_entries where program_id = $1 and action = $2 order by id',
    [app.program.id, action],
  );
const actor = () => `operator:Test admin <${admin.email}>`;
const available = async () => (await admin.call('GET', 'merchant/account/')).body.available;

describe('money of the program', () => {
  const send = (path: string, body: object, key?: string) =>
    app.call('POST', `/console/api/programs/${app.program.id}/account/${path}/`, {
      key: null,
      body,
      headers: {
        cookie: admin.cookie,
        'x-csrf-token': admin.csrfToken,
        ...(key && { 'idempotency-key': key }),
      },
    });

  test('is deposited and withdrawn with the password, once for each key, and audited', async () => {
    const first = await available();
    const deposit = { amount: 100.5, reference: 'wire 7', password };
    const clicks = await Promise.all([1, 2, 3].map(() => send('deposits', deposit, 'one click')));
    expect(clicks.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(clicks.map(({ body }) => body.movementId)).size).toBe(1);
    expect(await available()).toBe(first + 100.5);
    const out = await send('withdrawals', { amount: 0.5, reference: 'payout', password }, 'one click');
    const left = (first + 100).toFixed(2);
    expect(out).toMatchObject({ status: 201, body: { available: left, held: '0.00', balance: left } });
    const [funded] = await auditsOf('program.funded');
    expect(funded).toMatchObject({
      actor: actor(),
      before: { available: first.toFixed(2) },
      after: { amount: '100.50', reference: 'wire 7', movementId: clicks[0]?.body.movementId },
    });
    const { body: history } = await admin.call('GET', 'funding/');
    expect(history.results[0]).toMatchObject({ amount: '-0.50', available: left, reference: 'payout' });
  });

  test('does not move without the password, below one minor unit, or beyond what is available', async () => {
    const before = await available();
    const refusals: Array<[path: string, body: object, message: RegExp]> = [
      ['deposits', { amount: 1 }, /^password: is required/],
      ['deposits', { amount: 1, password: 'not the password' }, /^password: is wrong/],
      ['deposits', { amount: 0, password }, /^amount: must be greater than 0/],
      ['deposits', { amount: -1, password }, /^amount: must be greater than 0/],
      ['deposits', { amount: 0.001, password }, /^amount: must have at most 2 decimals/],
      ['deposits', { amount: 1, reference: ' ', password }, /^reference: must be 1 to 255/],
      ['withdrawals', { amount: before + 0.01, password }, /^amount: must be at most the available/],
    ];
    for (const [path, body, message] of refusals) {
      const answer = await send(path, { reference: 'wire 8', ...body });
      expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
    }
    expect(await available()).toBe(before);
  });
});

test('the given fees change, and the others stay', async () => {
  const set = (body: object) => admin.call('PUT', 'fees/', body);
  const { body: before } = await admin.call('GET', 'terms/');
  expect(await set({ atmFee: 2.5, cashInterchangeBps: -30, password })).toMatchObject({
    status: 200,
    body: { fees: { ...before.fees, atmFee: '2.50', cashInterchangeBps: -30 } },
  });
  expect((await admin.call('GET', 'terms/')).body.fees.atmFee).toBe('2.50');
  expect((await auditsOf('program.updated')).at(-1)).toEqual({
    actor: actor(),
    before: { cashInterchangeBps: 0, atmFeeMinor: '0' },
    after: { cashInterchangeBps: -30, atmFeeMinor: '250' },
  });
  const refusals: Array<[body: object, message: RegExp]> = [
    [{ atmFee: 3 }, /^password: is required/],
    [{ password }, /^body: must name a fee/],
    [{ fxFeeBps: 10_001, password }, /^fxFeeBps: must/],
    [{ atmFee: -1, password }, /^atmFee: must/],
    [{ atmFee: 0.001, password }, /^atmFee: must have at most 2 decimals/],
  ];
  for (const [body, message] of refusals)
    expect(await set(body)).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
});

describe('a design', () => {
  const look = { from: '#0a3d73', to: '#1b8fbf', pattern: 'rings' };
  const ocean = { id: 'ocean', name: 'Ocean', stock: true, default: false, embossNameSupported: true, look };
  const change = (id: string, body: object) =>
    admin.call('PUT', `card-designs/${id}/`, { ...body, password });
  const listed = async () => (await admin.call('GET', 'card-designs/')).body.designs;

  test('is added with its look, becomes the default, and goes out of stock', async () => {
    const added = await admin.call('POST', 'card-designs/', {
      ...ocean,
      look: { ...look, ignored: 'never stored' },
      password,
    });
    expect(added).toMatchObject({ status: 201, body: { ...ocean, retired: false } });
    expect(await listed()).toContainEqual({ ...ocean, retired: false });
    expect((await auditsOf('design.added')).at(-1)).toMatchObject({ actor: actor(), after: ocean });
    expect(await admin.call('POST', 'card-designs/', { ...ocean, password })).toMatchObject({ status: 409 });

    await change('ocean', { default: true, stock: false });
    const defaults = (await listed()).filter((design: { default: boolean }) => design.default);
    expect(defaults).toEqual([{ ...ocean, default: true, stock: false, retired: false }]);
    expect(await createCard(app, { cardDesign: undefined })).toMatchObject({ cardDesign: 'ocean' });

    const wrong = [
      [{ look: { ...look, from: 'blue' } }, /^look\.from: must be a colour/],
      [{ look: { ...look, pattern: 'stars' } }, /^look\.pattern: must/],
      [{ default: false }, /^default: must not be removed/],
      [{ retired: true }, /^retired: must not be set: the default/],
      [{ password: '' }, /^password: is/],
    ] as const;
    for (const [body, message] of wrong) {
      const answer = await admin.call('PUT', 'card-designs/ocean/', { password, ...body });
      expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
    }
    expect((await change('unknown', { stock: true })).status).toBe(404);
    await change('black', { default: true });
  });

  test('is retired for new cards, and blocked cards with it are replaced with the default', async () => {
    await admin.call('POST', 'card-designs/', { ...ocean, id: 'old', password });
    const { id } = await createCard(app, { cardDesign: 'old' });
    expect((await change('old', { retired: true })).status).toBe(200);
    expect((await change('old', { default: true })).body.message).toMatch(/^default: must not be set/);
    const refused = await app.call('POST', CARDS, { body: consumerCard({ cardDesign: 'old' }) });
    expect(refused).toMatchObject({ status: 400, body: { message: 'cardDesign: is retired' } });
    const { body: offered } = await app.call('GET', '/api/v1/merchant/card-design/');
    expect(offered.cardDesigns.map((design: { id: string }) => design.id)).not.toContain('old');
    expect((await app.call('GET', '/api/v1/merchant/card-design/old/')).body.name).toBe('Ocean');

    await app.call('PUT', `${CARDS}${id}/block/`, { body: { reason: 'lost' } });
    const { status, body } = await admin.call('POST', `cards/${id}/replacement/`, {});
    expect([status, body.cardDesign]).toEqual([201, 'black']);
  });
});

describe('a further program', () => {
  const create = (who: SignedIn, body: object) =>
    who.call('POST', 'programs/', { mode: 'sandbox', currency: 'JPY', password, ...body });

  test('is created by an administrator of all programs, and listed for them', async () => {
    const { status, body } = await create(admin, { name: 'Acme Japan' });
    expect([status, body]).toEqual([
      201,
      { id: expect.any(String), name: 'Acme Japan', mode: 'sandbox', currency: 'JPY' },
    ]);
    const entries = await app.sql(
      "select actor from audit_entries where program_id = $1 and action = 'program.created'",
      [body.id],
    );
    expect(entries).toEqual([{ actor: actor() }]);
    expect((await admin.call('GET', 'terms/', undefined, body.id)).body).toMatchObject({
      ...{ name: 'Acme Japan', bin: '999900', kycProvider: 'sandbox' },
    });
  });

  test('is refused with invalid settings, without the password, and for one program only', async () => {
    const refusals: Array<[body: object, status: number, message: RegExp]> = [
      [{ name: 'acme japan' }, 400, /^name: is already the name of another program/],
      [{ name: ' ' }, 400, /^name: must be/],
      [{ name: 'Acme', currency: 'XXX' }, 400, /^currency: must be/],
      [{ name: 'Acme', bin: '123456' }, 400, /^bin: must begin with 9999/],
      [{ name: 'Acme', mode: 'live' }, 400, /^bin: is required/],
      // A person who could not work in the new program.
      [{ name: 'Acme', mode: 'live', bin: '123456' }, 403, /^Set up a second factor first/],
      [{ name: 'Acme', password: undefined }, 400, /^password: is required/],
    ];
    for (const [body, status, message] of refusals)
      expect(await create(admin, body)).toMatchObject({
        status,
        body: { message: expect.stringMatching(message) },
      });
    const bound = await signInAs(app, 'admin', app.program.id);
    expect(await create(bound, { name: 'Acme' })).toMatchObject({
      status: 403,
      body: { message: 'Requires access to all programs' },
    });
  });
});
