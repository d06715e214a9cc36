import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { addDesign } from '../../../src/cards/designs/save-design.ts';
import { reveal } from '../../../src/kernel/secret.ts';
import { sealRights } from '../../../src/programs/api-key.ts';
import { rotateKey } from '../../../src/programs/manage-keys.ts';
import { type KeyKind, SCOPES } from '../../../src/programs/program.ts';
import {
  APPROVING_KYC,
  CARDS,
  consumerCard,
  createCard,
  rowsWritten,
  shippingInformation,
} from '../../support/cards/cards.ts';
import {
  exampleRecords,
  fillBody,
  fillPath,
  type Operation,
  operationsOf,
  type Records,
} from '../../support/openapi/document.ts';
import { testActor } from '../../support/server/actor.ts';
import { appForTests, createTestKey } from '../../support/server/test-app.ts';
import { type Exchange, exchange } from '../../support/server/wire.ts';

const app = appForTests({ sumsub: APPROVING_KYC });
let protectedOperations: Operation[];
let merchantOperations: Operation[];
let networkOperations: Operation[];
beforeAll(async () => {
  protectedOperations = operationsOf(app).filter(({ keyHeader }) => keyHeader);
  merchantOperations = protectedOperations.filter(({ keyHeader }) => keyHeader === MERCHANT);
  networkOperations = protectedOperations.filter(({ keyHeader }) => keyHeader === NETWORK);
});

const MERCHANT = 'x-payments-api-key';
const NETWORK = 'x-network-key';

/** A key of either kind, with all that its kind may do. */
const newKey = (kind: KeyKind) => createTestKey(app, app.program.id, kind);

/** An answer without what differs from request to request. */
const comparable = ({ status, text, headers }: Exchange) => {
  const compared = Object.fromEntries(headers);
  for (const name of ['date', 'x-request-id']) delete compared[name];
  return { status, text, headers: compared };
};
const body = (code: number, message: string) => JSON.stringify({ code, message, status: 'failed' });

describe('a network key', () => {
  const AUTHORIZATIONS = '/api/v1/network/authorizations/';
  const authorize = async (networkKey: string) =>
    (await app.call('POST', AUTHORIZATIONS, { key: null, networkKey, body: {} })).status;

  test('without the scope gets a 403 before its request is read', async () => {
    const { key } = await createTestKey(app, app.program.id, 'network', ['clearing', 'fulfilment']);
    const networkKey = { key: null, networkKey: key };
    expect(await app.call('POST', AUTHORIZATIONS, { ...networkKey, raw: 'no JSON' })).toMatchObject({
      status: 403,
      body: { code: 403, message: 'This key lacks the scope "authorizations"', status: 'failed' },
    });
    expect(await authorize(app.networkKey)).toBe(400);
  });

  test('that was created before network keys had scopes has all of them', async () => {
    const { id, key } = await newKey('network');
    await app.sql(`update api_keys set scopes = '{}' where id = $1`, [id]);
    expect(await authorize(key)).toBe(401);
    const [row] = await app.sql<{ hash: Buffer }>('select key_hash as hash from api_keys where id = $1', [
      id,
    ]);
    const { hash } = row as { hash: Buffer };
    const rights = { programId: app.program.id, kind: 'network', scopes: [] } as const;
    const seal = sealRights(app.vault.digest, hash, rights);
    await app.sql('update api_keys set rights_seal = $2 where id = $1', [id, seal]);
    expect(await authorize(key)).toBe(400);
    const actor = await testActor(app.db, app.program.id);
    const rotated = await app.db.transaction((tx) => rotateKey(tx, app.vault.digest, actor, id, 0));
    expect(rotated.row.scopes).toEqual(SCOPES.network);
    expect(await authorize(reveal(rotated.key))).toBe(400);
  });
});

describe('direct writes to the table of keys', () => {
  test('give a key no further scopes, and create no key', async () => {
    const { id, key } = await app.addKey(app.program.id, ['read']);
    expect((await app.call('GET', CARDS, { key })).status).toBe(200);
    await app.sql(`update api_keys set scopes = '{read,credentials}' where id = $1`, [id]);
    expect((await app.call('GET', CARDS, { key })).status).toBe(401);
    await app.sql(`update api_keys set scopes = '{read}' where id = $1`, [id]);
    expect((await app.call('GET', CARDS, { key })).status).toBe(200);
    const { program: other } = await app.addProgram();
    await app.sql('update api_keys set program_id = $2 where id = $1', [id, other.id]);
    expect((await app.call('GET', CARDS, { key })).status).toBe(401);
    const forged = 'a-key-of-my-own-making';
    await app.sql(
      `insert into api_keys (key_hash, id, program_id, kind, name, hint, scopes, rights_seal, created_at)
       select sha256($1), gen_random_uuid(), program_id, kind, name, hint, scopes, rights_seal, now()
       from api_keys where program_id = $2 and kind = 'merchant' limit 1`,
      [Buffer.from(forged), app.program.id],
    );
    expect((await app.call('GET', CARDS, { key: forged })).status).toBe(401);
  });

  test('turn no merchant key into a network key, or the reverse', async () => {
    const [merchant, network] = [await newKey('merchant'), await newKey('network')];
    const [read] = merchantOperations.filter(({ method }) => method === 'GET') as [Operation];
    const [write] = networkOperations as [Operation];
    const send = ({ method, template }: Operation, header: string, key: string) =>
      exchange(app.url, method, template, { headers: { [header]: key } });
    expect((await send(read, MERCHANT, merchant.key)).status).toBe(200);
    expect((await send(write, NETWORK, network.key)).status).toBe(400);
    const swapKinds = `update api_keys set kind = case kind when 'network' then 'merchant' else 'network' end,
                         scopes = case kind when 'network' then '{read,write}'::text[] else '{authorizations}' end
                       where id = any ($1)`;
    await app.sql(swapKinds, [[merchant.id, network.id]]);
    for (const { key } of [merchant, network])
      for (const header of [MERCHANT, NETWORK]) {
        expect((await send(read, header, key)).status).toBe(401);
        expect((await send(write, header, key)).status).toBe(401);
      }
  });
});

describe('401', () => {
  test('health, metrics and documentation need no key', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics', '/openapi.json', '/docs'])
      expect((await exchange(app.url, 'GET', path)).status).toBe(200);
  });
});

describe('403', () => {
  test('a refused key changes nothing', async () => {
    const { key } = await app.addKey(app.program.id, ['read']);
    const { id } = await createCard(app);
    await exchange(app.url, 'PUT', `${CARDS}${id}/block/`, { key, body: { reason: 'lost' } });
    expect((await app.call('GET', `${CARDS}${id}/`)).body).toMatchObject({ status: 'ACTIVE' });
  });
});

describe('a record of another program', () => {
  let owner: Records;
  let other: { key: string; networkKey: string };
  const unknown: Records = {
    programId: randomUUID(),
    keyId: randomUUID(),
    approvalId: randomUUID(),
    batchId: randomUUID(),
    ruleId: randomUUID(),
    backtestId: randomUUID(),
    listName: 'no-such-list',
    cardId: randomUUID(),
    transactionId: randomUUID(),
    externalTransactionId: 'net-unheard',
    cardNumber: '9999009999999999',
    cardDesignID: 'no-such-design',
    fileType: 'daily',
    kind: 'authorization',
    reference_id: randomUUID(),
    endpointId: randomUUID(),
    eventId: randomUUID(),
    authentication_id: randomUUID(),
    authenticationId: randomUUID(),
    tokenizationId: 'net-unheard',
    operatorId: randomUUID(),
    sessionId: randomUUID(),
    invitationId: randomUUID(),
    viewId: randomUUID(),
    blockedCardId: randomUUID(),
    customerId: 'net-unheard',
    noteId: randomUUID(),
    file_id: 'net-unheard',
  };
  beforeAll(async () => {
    other = await app.addProgram();
    const design = { id: 'ours', name: 'Ours', stock: true, default: false, embossNameSupported: true };
    const actor = await testActor(app.db, app.program.id);
    await app.db.transaction((tx) => addDesign(tx, actor, design));
    owner = { ...(await exampleRecords(app)), cardDesignID: 'ours' };
  });
  const send = async ({ method, template, keyHeader, body: sent }: Operation, records: Records) =>
    comparable(
      await exchange(app.url, method, fillPath(template, records, method), {
        headers: { [keyHeader as string]: keyHeader === NETWORK ? other.networkKey : other.key },
        body: fillBody(sent, records),
      }),
    );
  const namesRecord = ({ template, body: sent }: Operation) =>
    template.replace(/\{(fileType|kind|listName)\}/, '').includes('{') ||
    JSON.stringify(sent ?? '').includes('Id}"');

  test('is the same as an unknown one with a body that breaks a rule', async () => {
    // No field accepts an array that contains an array, and no body is an array.
    const broken = (body: object) => {
      const fields = Object.keys(body);
      return fields.length > 0 ? Object.fromEntries(fields.map((field) => [field, [[]]])) : [];
    };
    const written = merchantOperations.filter((operation) => operation.body && namesRecord(operation));
    expect(written.length).toBeGreaterThan(8);
    for (const operation of written) {
      const wrong = { ...operation, body: broken(operation.body as object) };
      const none = await send(wrong, unknown);
      expect(await send(wrong, owner)).toEqual(none);
      expect([operation.template, none.status]).toEqual([operation.template, 400]);
    }
  });

  test('by its card number is the same as an unknown number, to the network too', async () => {
    const named = networkOperations.filter((operation) =>
      JSON.stringify(operation.body ?? null).includes('{cardNumber}'),
    );
    expect(named).toHaveLength(5);
    const before = await rowsWritten(app);
    for (const operation of named) {
      // An authorization's id counts once, whatever number came with it.
      const again = JSON.parse(JSON.stringify(operation).replaceAll(/(net|clr|ref)-/g, '$1+'));
      const none = await send(operation, {
        ...owner,
        tokenizationId: 'net-wallet',
        cardNumber: unknown.cardNumber,
      });
      const foreign = await send(again, { ...owner, tokenizationId: 'net+wallet' });
      expect({ ...foreign, text: foreign.text.replaceAll(/(net|clr|ref)\+/g, '$1-') }).toEqual(none);
      expect(none.text).toMatch(/invalid_card_number|"transaction_id":null|unknown_card/);
    }
    // Kept are the answers, and the money of clearing and refund in suspense.
    const after = await rowsWritten(app);
    expect(after).toMatchObject({
      network_messages: Number(before['network_messages']) + 6,
      presentments: Number(before['presentments']) + 4,
    });
    expect(Object.keys(after).filter((table) => after[table] !== before[table])).toEqual([
      'events',
      'ledger_transfers',
      'ledger_daily_balances',
      'network_messages',
      'presentments',
    ]);
  });

  test('by the network’s id is a different purchase: messages here do not affect it', async () => {
    const id = 'shared-id-1';
    const swipe = { card_id: owner.cardId, amount: '5.00', external_transaction_id: id };
    const { body: mine } = await app.call('POST', '/api/v1/sandbox/authorizations/', { body: swipe });
    expect(mine).toMatchObject({ approved: true, status: 'PENDING' });
    const reversal = { external_transaction_id: id, reversal_id: 'theirs-1' };
    const { networkKey } = other;
    const theirs = await app.call('POST', '/api/v1/network/reversals/', {
      key: null,
      networkKey,
      body: reversal,
    });
    expect(theirs.body).toMatchObject({ transaction_id: null, status: 'VOID' });
    const { body: list } = await app.call('GET', `${CARDS}${owner.cardId}/transactions/`);
    expect(list.results[0]).toMatchObject({ id: mine.transaction_id, status: 'PENDING', bill_amount: 5 });
  });

  test('does not change, and its owner can still read it', async () => {
    const { body: card } = await app.call('GET', `${CARDS}${owner.cardId}/`);
    expect(card).toMatchObject({
      status: 'ACTIVE',
      statusReason: null,
      cardDesign: 'black',
      availableCredit: 244,
    });
  });

  test('is in no list and no count', async () => {
    const list = await app.call('GET', CARDS, { key: other.key });
    expect(list.body).toEqual({ results: [], count: 0, next: null, previous: null });
    const spent = await app.call('GET', '/api/v1/merchant/transactions/', { key: other.key });
    expect(spent.body).toEqual({ results: [], count: 0, next: null, previous: null });
    const designs = await app.call('GET', '/api/v1/merchant/card-design/', { key: other.key });
    expect(designs.body.cardDesigns.map(({ id }: { id: string }) => id)).toEqual(['black', 'sold-out']);
    const after = await app.call('GET', `${CARDS}?after=${owner.cardId}`, { key: other.key });
    expect(after.body.results).toEqual([]);
    const later = `/api/v1/merchant/transactions/?before=${owner.transactionId}`;
    expect((await app.call('GET', later, { key: other.key })).body.results).toEqual([]);
  });

  test('cannot be used in a body either', async () => {
    const { key } = other;
    const mine = await createCard(app, { cardType: 'physical' }, key);
    for (const [design, other] of [['ours', 'no-such-design']] as const) {
      const create = (cardDesign: string) =>
        exchange(app.url, 'POST', CARDS, { key, body: consumerCard({ cardDesign }) });
      const replace = (cardDesign: string) =>
        exchange(app.url, 'PUT', `${CARDS}${mine.id}/replace/`, {
          key,
          body: { shippingInformation: shippingInformation({ cardDesign }) },
        });
      expect(comparable(await create(design))).toEqual(comparable(await create(other)));
      expect(comparable(await replace(design))).toEqual(comparable(await replace(other)));
      expect((await create(design)).status).toBe(400);
      expect((await replace(design)).status).toBe(400);
    }
  });
});

describe('an invalid id', () => {
  test('gets the same 404 in a body of the sandbox, byte for byte, as does one of another program', async () => {
    const foreign = await exampleRecords(app, (await app.addProgram()).key);
    const { cardId, transactionId } = await exampleRecords(app);
    const routes = merchantOperations.filter(({ body: sent }) => JSON.stringify(sent ?? '').includes('Id}"'));
    expect(routes).toHaveLength(6);
    for (const { method, template, body: sent } of routes) {
      const send = async (id: string) => {
        const filled = fillBody(sent, { cardId: id, transactionId: id });
        return comparable(await exchange(app.url, method, template, { key: app.key, body: filled }));
      };
      const [own, theirs] = /auth/.test(template)
        ? [cardId, foreign.cardId]
        : [transactionId, foreign.transactionId];
      const ids = ['', 'card', '1', '%', "' or 1=1--", '漢', 'a'.repeat(10_000), own.toUpperCase()];
      for (const id of [
        randomUUID(),
        theirs,
        own.slice(0, -1),
        own.replaceAll('-', ''),
        `{${own}}`,
        `${own} `,
        ...ids,
      ])
        expect({ id, template, answer: await send(id) }).toMatchObject({
          answer: { status: 404, text: body(404, 'Record not found') },
        });
      expect((await send(own)).status).toBe(200);
    }
  });

  test('of a card design gets a 400 with code 404, and so does a design of another program', async () => {
    const { key } = await app.addProgram();
    const foreign = await exchange(app.url, 'GET', '/api/v1/merchant/card-design/ours/', { key });
    expect(foreign).toMatchObject({ status: 400, text: body(404, 'Record not found') });
    for (const id of ['no-such-design', 'BLACK', '%00', '%E6%BC%A2', 'a'.repeat(10_000), "'"]) {
      const answer = await exchange(app.url, 'GET', `/api/v1/merchant/card-design/${id}/`, { key: app.key });
      expect(answer).toMatchObject({ status: 400, text: body(404, 'Record not found') });
    }
  });
});

describe('a live program', () => {
  test('has no sandbox API', async () => {
    const { key } = await app.addProgram({ mode: 'live' });
    const sandbox = protectedOperations.filter(({ template }) => template.startsWith('/api/v1/sandbox/'));
    expect(sandbox.length).toBeGreaterThan(6);
    for (const { method, template, body: sent } of sandbox) {
      const answer = await exchange(app.url, method, template, { key, body: sent });
      expect(answer).toMatchObject({ status: 404, text: body(404, 'Record not found') });
      const broken = await exchange(app.url, method, template, { key, ...(sent ? { raw: '{' } : {}) });
      expect(broken.status).toBe(404);
    }
    expect((await exchange(app.url, 'POST', CARDS, { key, body: consumerCard() })).status).toBe(201);
  });
});
