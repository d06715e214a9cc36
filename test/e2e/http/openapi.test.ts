import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localIdentity } from '../../../src/audit/entry.ts';
import { ruleBacktests } from '../../../src/authorizations/backtests/run-backtests.ts';
import { ruleVelocities } from '../../../src/authorizations/engine/fill-velocities.ts';
import { cardBatches } from '../../../src/cards/batches/create-rows.ts';
import { cardExpiry } from '../../../src/cards/expire-cards.ts';
import { nameSchemas } from '../../../src/http/openapi-components.ts';
import { addMonths } from '../../../src/kernel/calendar.ts';
import { readActor } from '../../../src/programs/actor.ts';
import { fundProgram, withdrawFunds } from '../../../src/programs/fund-program.ts';
import { FILE_TYPES } from '../../../src/reports/report.ts';
import { authenticationOf, callNetwork } from '../../support/authentications/authentications.ts';
import { retrieve } from '../../support/cards/card-states.ts';
import { CARDS, consumerCard, createCard } from '../../support/cards/cards.ts';
import { newMessageId, payingCard } from '../../support/cards/network.ts';
import { follow, swipe } from '../../support/cards/swipe.ts';
import { signInAs } from '../../support/console/operators.ts';
import { putDecisionEndpoint } from '../../support/decisions/decisions.ts';
import { dereference } from '../../support/openapi/dereference.ts';
import { FILES, makeReports, PAST_DAY, requestReport } from '../../support/reports/reports.ts';
import { callsOf, LISTS, RULES } from '../../support/rules/rules.ts';
import { today } from '../../support/server/clock.ts';
import { runToEnd } from '../../support/server/jobs.ts';
import { appForTests } from '../../support/server/test-app.ts';
import { importFile } from '../../support/settlement/clearing-files.ts';
import { recordOf } from '../../support/settlement/records.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/webhook-receiver.ts';
import { addEndpoint, deliver, ENDPOINTS } from '../../support/webhooks/webhooks.ts';

type Json = Record<string, unknown>;
type Media = Record<string, { schema: Json }>;
interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  requestBody?: { content: Media };
  responses: Record<string, { content?: Media }>;
}
interface OpenApi {
  tags: Array<{ name: string }>;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Json> };
}

const app = appForTests();
let document: OpenApi;
let operations: Operation[];

beforeAll(async () => {
  document = (await app.call('GET', '/openapi.json', { key: null })).body;
  operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
});

describe('the document', () => {
  test('names every JSON body, and contains no named schema twice', () => {
    const bodies = operations.flatMap(({ requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].map((part) => part?.content?.['application/json']?.schema),
    );
    const unnamed = bodies.filter((schema) => schema && !('$ref' in schema));
    expect(unnamed).toEqual([]);
    expect(bodies.length).toBeGreaterThan(100);
    const titles = JSON.stringify(document).match(/"title":"/g)?.length;
    expect(titles).toBe(Object.keys(document.components.schemas).length + 1);
  });

  test('describes each tag', () => {
    const described = document.tags.map(({ name }) => name);
    expect(operations.flatMap(({ tags }) => tags).filter((tag) => !described.includes(tag))).toEqual([]);
  });

  test('contains the examples', () => {
    const { requestBody, responses } = document.paths[CARDS]?.['post'] ?? ({} as Partial<Operation>);
    expect(JSON.stringify(requestBody)).toContain('"example":{"kycApplicantId"');
    expect(JSON.stringify(responses?.['400'])).toContain('cardType: is required');
  });
});

describe('the API reference page, whose origin is null', () => {
  const PATH = '/api/v1/merchant/cards/';
  const send = (method: string, path: string, headers: Record<string, string>) =>
    fetch(app.url + path, { method, headers: { 'x-payments-api-key': app.key, ...headers } });

  test('may call the API with a key, and nothing else on this host', async () => {
    const preflight = { origin: 'null', 'access-control-request-method': 'PUT' };
    const allowed = await send('OPTIONS', PATH, preflight);
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, 'null']);
    expect(allowed.headers.get('access-control-allow-credentials')).toBeNull();
    const answer = await send('GET', PATH, { origin: 'null' });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, 'null']);
    const session = await send('GET', '/console/api/session/', { origin: 'null' });
    expect(session.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('is the only page that may: other origins get no permission, and OPTIONS is a 405 for others', async () => {
    const elsewhere = { origin: 'https://a.example', 'access-control-request-method': 'GET' };
    for (const [method, headers, status] of [
      ['GET', elsewhere, 200],
      ['OPTIONS', elsewhere, 405],
      ['OPTIONS', { origin: 'null' }, 405],
    ] as const) {
      const answer = await send(method, PATH, headers);
      expect(answer.status).toBe(status);
      if (headers === elsewhere) expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});

describe('responses with two shapes', () => {
  /** The one shape of the document that an answer has. */
  function shapeOf(name: string, answer: Json): unknown {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const { schemas } = (dereference(document) as OpenApi).components;
    const { oneOf } = schemas[name] as { oneOf: Json[] };
    const fitting = oneOf.filter((shape) => ajv.validate(shape, answer));
    expect(fitting).toHaveLength(1);
    const [{ title, properties, required }] = fitting as [
      { title: string; properties: Json; required: string[] },
    ];
    const documented = Object.keys(properties).filter((name) => required.includes(name) || name in answer);
    expect(Object.keys(answer)).toEqual(documented);
    return title;
  }

  test('an authorization is approved, or declined with a reason', async () => {
    const { id } = await createCard(app);
    const shape = async (amount: string) => shapeOf('AuthorizationResponse', await swipe(app, id, amount));
    expect(await shape('1.00')).toBe('ApprovedAuthorization');
    expect(await shape('0.00')).toBe('ApprovedAuthorization');
    expect(await shape('9999.00')).toBe('DeclinedAuthorization');
    const inquiry = await follow(app, 'authorizations', { card_id: id, type: 'BALANCE_INQUIRY' });
    expect([shapeOf('AuthorizationResponse', inquiry), inquiry.available_amount]).toEqual([
      'ApprovedAuthorization',
      '249.00',
    ]);
    const { body } = await app.call('POST', '/api/v1/network/authorizations/', {
      networkKey: app.networkKey,
      body: {
        external_transaction_id: 'no-card-at-all',
        card_number: '4000000000000002',
        expiry: '2030-01',
        amount: '1.00',
        currency: 'EUR',
        channel: 'POS',
        merchant: { id: 'm-1', name: 'Corner Coffee', mcc: '5814', city: 'London', country: 'GB' },
      },
    });
    expect(body.transaction_id).toBeNull();
    expect(shapeOf('AuthorizationResponse', body)).toBe('DeclinedAuthorization');
  });

  test('a report is pending, or ready with a link', async () => {
    const referenceId = await requestReport(app, 'daily', PAST_DAY);
    const state = async () => (await app.call('GET', `${FILES}requests/${referenceId}/`)).body;
    expect(shapeOf('FileRequestState', await state())).toBe('PendingFile');
    await makeReports(app);
    expect(shapeOf('FileRequestState', await state())).toBe('ReadyFile');
  });
});

describe('named schemas', () => {
  const shape = (type: string, more: Json = {}) => ({ title: 'Thing', type, ...more });
  const documentOf = (...schemas: Json[]) => ({
    components: {},
    paths: { '/': schemas.map((schema) => ({ schema })) },
  });

  test('two shapes with one title are refused', () => {
    expect(() => nameSchemas(documentOf(shape('object'), shape('string')))).toThrow(/title Thing/);
  });

  test('a different description does not make a different schema', () => {
    const named = nameSchemas(documentOf(shape('object'), shape('object', { description: 'Another use' })));
    expect(named['components']).toEqual({ schemas: { Thing: shape('object') } });
  });

  test('a field named like a keyword is treated as a field', () => {
    const properties = { default: shape('object'), examples: shape('object') };
    const named = nameSchemas(documentOf({ type: 'object', properties }));
    const reference = { $ref: '#/components/schemas/Thing' };
    expect(JSON.stringify(named['paths'])).toBe(
      JSON.stringify({
        '/': [{ schema: { type: 'object', properties: { default: reference, examples: reference } } }],
      }),
    );
  });
});

describe('events', () => {
  let receiver: Receiver;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    receiver = await startReceiver();
    stop = deliver(app).stop;
    const { id: endpointId } = await addEndpoint(app, receiver.url);
    await everythingHappens(endpointId);
    await receiver.until(
      (received) => new Set(received.map(({ body }) => body.eventName)).size === documented().length,
    );
  });
  afterAll(async () => {
    await stop();
    await receiver.close();
  });

  /** A request for a decision is not an event. */
  const documented = () =>
    Object.entries(document.webhooks).flatMap(([name, { post }]) =>
      post.tags?.includes('Decisions') ? [] : name,
    );

  /** Each event that there is, at least once. */
  async function everythingHappens(endpointId: string): Promise<void> {
    const { id } = await createCard(app);
    await app.call('POST', `${ENDPOINTS}${endpointId}/test/`);
    const { transaction_id } = await swipe(app, id, '10.00', { authentication: { eci: '05' } });
    await follow(app, 'increments', { transaction_id, amount: '1.00' });
    const { clearing_id } = await follow(app, 'clearings', { transaction_id });
    const refund = await follow(app, 'refunds', { transaction_id });
    await follow(app, 'reversals', { transaction_id: refund.transaction_id });
    await follow(app, 'reversals', { transaction_id, clearing_id });
    const paying = await payingCard(app);
    const stray = { card_number: '9999000000000000' };
    const { clearing_id: unmatched } = await paying.clear(newMessageId('stray'), '1.00', stray);
    await paying.send('reversals', { reversal_id: newMessageId('rev'), clearing_id: unmatched });
    const later = { external_transaction_id: newMessageId('later') };
    await paying.refund('1.00', { ...later, card_number: paying.number });
    await paying.hold('1.00', later);
    await app.call('PUT', `${CARDS}${paying.id}/3ds-forwarding/`, { body: { enabled: true } });
    const { body: challenge } = await callNetwork(
      app,
      app,
      'POST',
      'authentications/',
      authenticationOf(paying),
    );
    await callNetwork(app, app, 'POST', `authentications/${challenge.authentication_id}/cancel/`);
    await importFile(app, []);
    await importFile(app, [recordOf('fee', '1.00')]);
    const { id: expiring } = await createCard(app, { expiryDate: addMonths(await today(app), 1) });
    const actor = await readActor(app.db, localIdentity('cli:test'), app.program.id);
    await app.db.transaction((tx) => fundProgram(tx, actor, { amountMinor: 1_000n }));
    await app.db.transaction((tx) => withdrawFunds(tx, actor, { amountMinor: 100n }));
    await app.call('PUT', '/api/v1/merchant/account/alert/', { body: { alertBelow: 1_000 } });
    await follow(app, 'reversals', { transaction_id: (await swipe(app, id, '5.00')).transaction_id });
    await swipe(app, id, '9999.00');
    await swipe(app, id, '1.00');
    await app.call('POST', '/api/v1/sandbox/clock/', { body: { advance_seconds: 70 * 86_400 } });
    for (const type of FILE_TYPES) await requestReport(app, type, PAST_DAY);
    await makeReports(app);
    await runToEnd(cardExpiry(app.db));
    expect((await retrieve(app, expiring)).status).toBe('EXPIRED');
    await app.call('POST', '/api/v1/merchant/card-batches/', { body: { cards: [consumerCard()] } });
    await runToEnd(cardBatches(app));
    const rules = callsOf(app);
    await rules.put('merchants', 'merchant', ['m-1']);
    const rule = await rules.active({ when: { field: 'mcc', op: 'isNull', value: true } });
    await rules.demote(rule.id);
    const days = { from: '2026-01-01', to: '2026-01-31', mode: 'OBSERVED' };
    await app.call('POST', `${RULES}${rule.id}/backtests/`, { body: days });
    await runToEnd(ruleBacktests({ ...app, keeper: app.vault }));
    const velocity = { measure: 'COUNT', per: 'CARD', window: { minutes: 60 } };
    await rules.create({ when: { velocity, op: 'gt', value: 5 } });
    await runToEnd(ruleVelocities(app));
    await rules.archive(rule.id);
    await app.call('DELETE', `${LISTS}merchants/`);
    for (const freeze of [true, false]) await app.call('PUT', `${CARDS}${id}/freeze/`, { body: { freeze } });
    await app.call('PUT', `${CARDS}${id}/replace/`, { body: {} });
    await app.call('PUT', `${CARDS}${id}/block/`, { body: { reason: 'lost' } });
    for (const paused of [true, false]) await putDecisionEndpoint(app, { url: receiver.url, paused });
    const admin = await signInAs(app, 'admin');
    const key = { kind: 'merchant', name: 'app', scopes: ['credentials'], password: admin.password };
    await admin.call('POST', 'keys/', key, app.program.id);
  }

  test('each is sent with exactly the documented fields', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const { schemas } = (dereference(document) as OpenApi).components;
    const anyEvent = ajv.compile(schemas['Event'] as Json);
    const { oneOf } = schemas['Event'] as { oneOf: Array<{ properties: Record<string, Json> }> };
    for (const { body } of receiver.received) {
      expect([body.eventName, anyEvent(body), anyEvent.errors]).toEqual([body.eventName, true, null]);
      const shape = oneOf.find(({ properties }) => properties['eventName']?.['const'] === body.eventName);
      const fields = Object.keys(shape?.properties['data']?.['properties'] as Json);
      expect(Object.keys(body.data).filter((field) => !fields.includes(field))).toEqual([]);
    }
  });

  test('their examples match the schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const { webhooks } = dereference(document) as OpenApi;
    for (const { post } of Object.values(webhooks))
      for (const content of [post.requestBody?.content, post.responses['200']?.content]) {
        if (!content) continue;
        const media = content['application/json'] as { schema: Json; example: unknown };
        expect([post.summary, ajv.validate(media.schema, media.example), ajv.errors]).toEqual([
          post.summary,
          true,
          null,
        ]);
      }
  });
});
