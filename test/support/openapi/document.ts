import { randomUUID } from 'node:crypto';
import { localIdentity } from '../../../src/audit/entry.ts';
import { addNote } from '../../../src/cards/customers/notes.ts';
import { invite } from '../../../src/operators/invite.ts';
import { readActor } from '../../../src/programs/actor.ts';
import { credentialsOf } from '../cards/card-states.ts';
import { consumerCard, createCard } from '../cards/cards.ts';
import { addTestOperator, PASSWORD } from '../console/operators.ts';
import { PAST_DAY } from '../reports/reports.ts';
import { TESTER } from '../server/actor.ts';
import type { TestApp } from '../server/test-app.ts';
import { dereference } from './dereference.ts';

/** One operation of the OpenAPI document: what a test walks over so that a new route is never forgotten. */
export interface Operation {
  method: string;
  /** As in the document, with `{cardId}` and the like. */
  template: string;
  /** The header that carries the key; undefined where none is needed. */
  keyHeader: 'x-payments-api-key' | 'x-network-key' | 'emboss_session' | undefined;
  /** The body the document itself shows, for operations that take one; ids in it as `{cardId}` and the like. */
  body: unknown;
  /** Its body if that is a file. */
  file: { type: string; text: string } | undefined;
  /** False also where a missing body means an empty one. */
  needsBody: boolean;
  /** The names of its query. */
  query: string[];
}

interface Schema {
  examples?: unknown[];
  enum?: unknown[];
  const?: unknown;
  type?: string | string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  required?: string[];
  properties?: Record<string, Schema>;
}
interface DocumentedOperation {
  security?: Array<Record<string, unknown>>;
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  parameters?: Array<{ in: string; name: string }>;
}

const CONSOLE = '/console/api/';

const purchase = { amount: '1.00', currency: 'EUR', bill_amount: '1.00', bill_currency: 'EUR' };
const ofNobody = { external_transaction_id: 'net-{cardId}', card_number: '{cardNumber}', ...purchase };

/** Where the document's own example says too little to succeed, or speaks of a record that is not there. */
const ONE = { amount: 1, reference: 'Test' };

const BODIES: Record<string, unknown> = {
  'POST /api/v1/merchant/rules/{ruleId}/promote/': { confirm: true },
  'POST /api/v1/merchant/card-batches/': { cards: [consumerCard()] },
  'PUT /api/v1/merchant/cards/{cardId}/contact/': { email: 'ada@example.com' },
  'PUT /api/v1/merchant/cards/{cardId}/usage/': { usage: { purchases: 1 } },
  'PUT /console/api/programs/{programId}/customers/{customerId}/contact/': { email: 'ada@example.com' },
  'POST /console/api/programs/{programId}/card-batches/read/': { lines: ['meta.id', 'customer-1'] },
  'POST /api/v1/sandbox/clock/': { advance_seconds: 0 },
  'POST /api/v1/sandbox/authorizations/': { card_id: '{cardId}', amount: '1.00' },
  'POST /api/v1/sandbox/authentications/': { card_id: '{cardId}', amount: '1.00' },
  'POST /api/v1/sandbox/increments/': { transaction_id: '{transactionId}', amount: '1.00' },
  'POST /api/v1/sandbox/clearings/': { transaction_id: '{transactionId}' },
  'POST /api/v1/sandbox/reversals/': { transaction_id: '{transactionId}' },
  'POST /api/v1/sandbox/refunds/': { transaction_id: '{transactionId}' },
  'POST /api/v1/network/authorizations/': {
    ...ofNobody,
    expiry: '2029-11',
    channel: 'POS',
    merchant: { id: 'm-1', name: 'Corner Coffee', mcc: '5814', city: 'London', country: 'GB' },
  },
  'POST /api/v1/network/increments/': {
    external_transaction_id: '{externalTransactionId}',
    increment_id: 'inc-{cardId}',
    ...purchase,
  },
  'POST /api/v1/network/reversals/': {
    external_transaction_id: 'net-{cardId}',
    reversal_id: 'rev-{cardId}',
  },
  'POST /api/v1/network/clearings/': { clearing_id: 'clr-{cardId}', ...ofNobody },
  'POST /api/v1/network/refunds/': { refund_id: 'ref-{cardId}', ...ofNobody },
  'POST /api/v1/network/authentications/': {
    authentication_id: 'net-{cardId}',
    card_number: '{cardNumber}',
    amount: '1.00',
    currency: 'EUR',
    merchant: { id: 'm-1', mcc: '5814' },
    device_channel: 'BROWSER',
    category: 'PAYMENT',
    challenge: 'NO_PREFERENCE',
  },
  'POST /api/v1/network/tokenizations/{tokenizationId}/otp/': { card_number: '{cardNumber}' },
  [`PUT ${CONSOLE}programs/{programId}/views/`]: { list: 'cards', name: 'Mine', search: '', columns: [] },
  'PUT /api/v1/merchant/webhook-endpoints/{endpointId}/': {
    url: 'http://127.0.0.1:9/',
    eventTypes: null,
    paused: false,
  },
  'PUT /api/v1/merchant/decision-endpoints/{kind}/': { url: 'http://127.0.0.1:9/' },
  [`POST ${CONSOLE}programs/{programId}/programs/`]: {
    ...{ name: 'Of {cardId}', mode: 'sandbox', currency: 'EUR' },
    password: PASSWORD,
  },
  [`POST ${CONSOLE}programs/{programId}/account/deposits/`]: { ...ONE, amount: 10_000, password: PASSWORD },
  [`POST ${CONSOLE}programs/{programId}/account/withdrawals/`]: { ...ONE, password: PASSWORD },
  [`PUT ${CONSOLE}programs/{programId}/fees/`]: { maintenanceFee: 0.1, password: PASSWORD },
  [`POST ${CONSOLE}programs/{programId}/card-designs/`]: {
    ...{ id: 'of-{cardId}', name: 'Ours', stock: true, default: false, embossNameSupported: true },
    look: null,
    password: PASSWORD,
  },
  [`PUT ${CONSOLE}programs/{programId}/card-designs/{cardDesignID}/`]: { stock: true, password: PASSWORD },
  [`PUT ${CONSOLE}programs/{programId}/notifications/webhook/`]: { url: 'http://127.0.0.1:9/' },
  [`POST ${CONSOLE}programs/{programId}/people/`]: {
    ...{ email: '{operatorId}@example.com', name: 'Grace Hopper', role: 'support', programId: null },
    password: PASSWORD,
  },
  [`POST ${CONSOLE}programs/{programId}/approvals/{approvalId}/approve/`]: { password: PASSWORD },
  [`PUT ${CONSOLE}programs/{programId}/second-person/`]: {
    secondPersonAbove: '50000.00',
    password: PASSWORD,
  },
  [`POST ${CONSOLE}programs/{programId}/invitations/`]: {
    ...{ email: '{operatorId}@example.net', name: 'Grace Hopper', role: 'support', programId: null },
    password: PASSWORD,
  },
  [`POST ${CONSOLE}programs/{programId}/people/{operatorId}/reset-password/`]: { password: PASSWORD },
  [`POST ${CONSOLE}programs/{programId}/people/{operatorId}/remove-second-factor/`]: { password: PASSWORD },
};

/** What is called with a key or without one. The console's own are walked by `consoleOperationsOf`. */
export const operationsOf = (app: TestApp): Operation[] =>
  allOperations(app).filter(({ template }) => !template.startsWith(CONSOLE));

/** What an operator can call for a program: the console's own, and every route of merchants and sandbox once more. */
export function consoleOperationsOf(app: TestApp): Operation[] {
  const operations = allOperations(app);
  const own = operations.filter(({ template }) => template.startsWith(`${CONSOLE}programs/`));
  const shared = operations.filter(
    ({ template }) =>
      /^\/api\/v1\/(merchant|sandbox)\//.test(template) && !/credentials|reveal-sessions/.test(template),
  );
  return [
    ...own,
    ...shared.map((operation) => ({
      ...operation,
      template: operation.template.replace('/api/v1/', `${CONSOLE}programs/{programId}/`),
      // The operator gives the password again to change a decision endpoint; a key needs no body for most of them.
      ...(isConfirmed(operation) && { body: { ...(operation.body as object), password: PASSWORD } }),
    })),
  ];
}

const isConfirmed = ({ method, template }: Operation): boolean =>
  template.includes('/decision-endpoints/') && method !== 'GET' && !template.endsWith('/test/');

const allOperations = (app: TestApp): Operation[] => app.documents.flatMap(operationsIn);

function operationsIn(described: unknown): Operation[] {
  // biome-ignore lint/suspicious/noExplicitAny: a document is walked freely
  const document = dereference(described) as any;
  const paths = document.paths as Record<string, Record<string, DocumentedOperation>>;
  const keyHeaderOf = ({ security = document.security }: DocumentedOperation) => {
    const [scheme] = Object.keys(security[0] ?? {});
    return scheme && document.components.securitySchemes[scheme].name;
  };
  // A download is opened by its link alone, to the letter; it has tests of its own.
  const walked = Object.entries(paths).filter(([template]) => !template.startsWith('/files/'));
  return walked.flatMap(([template, operations]) =>
    Object.entries(operations).map(([name, operation]) => {
      const method = name.toUpperCase();
      const schema = operation.requestBody?.content['application/json']?.schema;
      const [type = ''] = Object.keys(operation.requestBody?.content ?? {});
      const file = type === '' || schema ? undefined : { type, text: 'no records\n' };
      const body = schema && (BODIES[`${method} ${template}`] ?? exampleOf(schema));
      const needsBody = !file && (operation.requestBody?.required ?? false);
      const query = (operation.parameters ?? []).filter(({ in: where }) => where === 'query');
      const names = query.map(({ name }) => name);
      return { method, template, keyHeader: keyHeaderOf(operation), body, file, needsBody, query: names };
    }),
  );
}

/**
 * Records for one operation after the other: reads share theirs, a write gets new ones because it may remove them, and
 * of those that take long only the ones that it names.
 */
export function recordsPerOperation(app: TestApp): (operation: Operation) => Promise<Records> {
  let shared: Promise<Records> | undefined;
  return async ({ method, template, body }) => {
    const named = template + JSON.stringify(body ?? '');
    if (method !== 'GET') {
      const records = await exampleRecords(app, app.key, (name) => named.includes(`{${name}}`));
      if (template.endsWith('/demote/')) await promote(app, records.ruleId);
      return records;
    }
    shared ??= exampleRecords(app);
    return shared;
  };
}

export type Records = Awaited<ReturnType<typeof exampleRecords>>;

/**
 * Records that paths and bodies can name: a card with its number, a purchase with it, a design, a wish for a report, a
 * webhook endpoint, an event, a decision endpoint, and authentications.
 */
export async function exampleRecords(
  app: TestApp,
  key: string = app.key,
  isNamed: (name: string) => boolean = () => true,
) {
  const customerId = `customer-${randomUUID()}`;
  const { meta } = consumerCard();
  const { id: cardId } = await createCard(app, { meta: { ...meta, id: customerId } }, key);
  const swipe = { card_id: cardId, amount: '1.00' };
  const report = fillPath('/api/v1/merchant/files/{fileType}/', { fileType: 'daily' });
  const [{ cardNumber }, { body }, { body: request }, { body: events }, endpointId, { id: keyId }] =
    await Promise.all([
      credentialsOf(app, cardId, key),
      app.call('POST', '/api/v1/sandbox/authorizations/', { body: swipe, key }),
      app.call('GET', report, { key }),
      app.call('GET', '/api/v1/merchant/webhook-events/', { key }),
      anyEndpoint(app, key),
      app.addKey(app.program.id, ['read']),
      app.call('PUT', '/api/v1/merchant/decision-endpoints/authorization/', {
        body: { url: 'http://127.0.0.1:9/' },
        key,
      }),
    ]);
  return {
    programId: app.program.id,
    keyId,
    cardId,
    batchId: isNamed('batchId') ? await anyBatch(app, cardId) : '',
    ...(await anyRule(app, key, isNamed)),
    cardNumber,
    transactionId: body.transaction_id as string,
    externalTransactionId: body.external_transaction_id as string,
    cardDesignID: 'black',
    fileType: 'daily',
    kind: 'authorization',
    reference_id: request.reference_id as string,
    endpointId,
    eventId: events.results[0].eventId as string,
    tokenizationId: `tok-${cardId}`,
    // Of no operator: a saved view belongs to the operator who saved it.
    customerId,
    blockedCardId: isNamed('blockedCardId') ? await blockedCard(app, key) : '',
    noteId: isNamed('noteId') ? await anyNote(app, cardId, customerId) : '',
    approvalId: isNamed('approvalId') ? await anyApproval(app, cardId) : '',
    file_id: isNamed('file_id') ? await anyClearingFile(app, cardId) : `new-${cardId}`,
    viewId: await anyView(app, cardId),
    ...(await anyAuthentications(app, cardId)),
    ...(isNamed('operatorId') || isNamed('invitationId')
      ? await anyPerson(app)
      : { operatorId: '', sessionId: '', invitationId: '' }),
  };
}

/** With a second factor, a session and an invitation. */
export async function anyPerson(app: TestApp, programId: string = app.program.id) {
  const [{ id: operatorId }, sessionId] = [await addTestOperator(app, 'viewer', programId), randomUUID()];
  const { invitation } = await app.db.transaction((tx) =>
    invite(
      tx,
      app.vault.digest,
      TESTER,
      { email: `${sessionId}@example.net`, name: 'Grace Hopper', role: 'viewer', programId },
      null,
    ),
  );
  await app.sql(
    `with secured as (update operators set second_factor_id = $2 where id = $1)
     insert into operator_sessions (token_hash, operator_id, id, device, created_at, last_seen_at, expires_at)
     values (decode(md5($2::text), 'hex'), $1, $2, 'Firefox on Linux', now(), now(), now() + interval '1 hour')`,
    [operatorId, sessionId],
  );
  return { operatorId, sessionId, invitationId: invitation.id };
}

async function blockedCard(app: TestApp, key: string): Promise<string> {
  const { id } = await createCard(app, {}, key);
  await app.call('PUT', `/api/v1/merchant/cards/${id}/block/`, { body: { reason: 'lost' }, key });
  return id;
}

/** A completed one, because a program can have few open ones. */
async function anyBatch(app: TestApp, cardId: string): Promise<string> {
  const batchId = randomUUID();
  await app.sql(
    `with batch as (
       insert into card_batches (program_id, id, sender, total, created, failed, created_at, completed_at)
       select program_id, $2, '{}', 1, 1, 0, now(), now() from cards where id = $1 returning program_id)
     insert into card_batch_rows (program_id, batch_id, id, row_index, status, card_id)
     select program_id, $2, $2, 0, 'CREATED', $1 from batch`,
    [cardId, batchId],
  );
  return batchId;
}

async function anyClearingFile(app: TestApp, cardId: string): Promise<string> {
  const fileId = `clr-${cardId}`;
  await app.sql(
    `insert into clearing_files (program_id, id, file_id, settlement_date, is_last, format, bytes, digest, status,
                                 created_at, ended_at, erase_at)
     select program_id, id, $2, '2026-11-17', true, 'ndjson', 0, '', 'COMPLETED', now(), now(), now() from cards where id = $1`,
    [cardId, fileId],
  );
  return fileId;
}

/** A rule in SHADOW, and a list. */
async function anyRule(app: TestApp, key: string, isNamed: (name: string) => boolean) {
  const listName = `list-${randomUUID()}`;
  if (isNamed('listName'))
    await app.call('PUT', `/api/v1/merchant/rule-lists/${listName}/`, {
      body: { type: 'merchant', values: ['M-1'] },
      key,
    });
  if (!isNamed('ruleId') && !isNamed('backtestId')) return { ruleId: '', backtestId: '', listName };
  const rule = {
    name: 'Any',
    appliesTo: 'PROGRAM',
    when: { field: 'mcc', op: 'eq', value: '0000' },
    action: 'FLAG',
  };
  const { body } = await app.call('POST', '/api/v1/merchant/rules/', { body: rule, key });
  const ruleId = body.id as string;
  if (!isNamed('backtestId')) return { ruleId, backtestId: '', listName };
  const days = { from: '2026-01-01', to: '2026-01-31', mode: 'OBSERVED' };
  const queued = await app.call('POST', `/api/v1/merchant/rules/${ruleId}/backtests/`, { body: days, key });
  return { ruleId, backtestId: queued.body.id as string, listName };
}

const promote = (app: TestApp, ruleId: string): Promise<unknown> =>
  app.call('POST', `/api/v1/merchant/rules/${ruleId}/promote/`, { body: { confirm: true } });

/** Of an operator who is not there any more. */
async function anyNote(app: TestApp, cardId: string, customerId: string): Promise<string> {
  const [card] = await app.sql<{ program: string }>('select program_id as program from cards where id = $1', [
    cardId,
  ]);
  const actor = await readActor(app.db, localIdentity('operator:Test'), card?.program as string);
  const author = { id: randomUUID(), name: 'Test', isAdmin: false };
  return (await addNote(app, actor, author, customerId, 'Called.')).id;
}

/** A small adjustment that a manager has requested. */
async function anyApproval(app: TestApp, cardId: string): Promise<string> {
  const [approvalId, { id: operatorId }] = [randomUUID(), await addTestOperator(app, 'manager')];
  await app.sql(
    `insert into approvals (program_id, id, kind, payload, card_id, amount_minor, requested_by, requested_at, expires_at)
     select program_id, $2, 'adjustment', $3, id, 100, $4, now(), now() + interval '3 days' from cards where id = $1`,
    [cardId, approvalId, { cardId, amount: 1, reference: 'test' }, operatorId],
  );
  return approvalId;
}

/** A view of every operator, under one id. */
async function anyView(app: TestApp, cardId: string): Promise<string> {
  const viewId = randomUUID();
  await app.sql(
    `insert into saved_views (program_id, operator_id, list, id, name, search, columns, created_at)
     select c.program_id, o.id, 'webhook-events', $2::uuid, $2::text, '', '{}', now() from operators o, cards c
     where c.id = $1`,
    [cardId, viewId],
  );
  return viewId;
}

/** Of 3-D Secure: one that has ended, by the network's id, and one that waits for the cardholder's answer, by ours. */
async function anyAuthentications(app: TestApp, cardId: string) {
  const [ended, authenticationId] = [randomUUID(), randomUUID()];
  await app.sql(
    `insert into authentications (program_id, purpose, authentication_id, id, request_digest, card_id, status,
                                  trans_status, method, expires_at, completed_at, created_at, created_real)
     select cards.program_id, '3ds', 'acs-' || made.id, made.id, '', cards.id, made.status, 'C', made.method,
            now() + interval '5 minutes', made.ended, now(), now()
     from cards, (values ($2::uuid, 'REJECTED', 'OTP', now()), ($3::uuid, 'CHALLENGE', 'OUT_OF_BAND', null))
       as made (id, status, method, ended)
     where cards.id = $1`,
    [cardId, ended, authenticationId],
  );
  return { authentication_id: `acs-${ended}`, authenticationId };
}

/** One that is there, or a new one: a program may have few. */
async function anyEndpoint(app: TestApp, key: string): Promise<string> {
  const path = '/api/v1/merchant/webhook-endpoints/';
  const { body } = await app.call('GET', path, { key });
  if (body.webhookEndpoints[0]) return body.webhookEndpoints[0].id;
  const added = await app.call('POST', path, { body: { url: 'http://127.0.0.1:9/' }, key });
  return added.body.id;
}

/** Puts ids into a body, as `fillPath` does into a path. */
export const fillBody = (body: unknown, parameters: Record<string, string>): unknown =>
  body === undefined ? undefined : JSON.parse(fillPath(JSON.stringify(body), parameters));

/** The query that a path requires. */
const QUERIES: Array<[end: string, query: string]> = [
  ['merchant/files/{fileType}/', `?date=${PAST_DAY}`],
  ['/search/', '?q=ada'],
  ['/views/', '?list=cards'],
  ['network/clearing-files/', '?file_id={file_id}&settlement_date=2026-11-17&last=true'],
];

/** Puts ids into a path. A parameter without a test value fails here. */
export function fillPath(template: string, parameters: Record<string, string>, method = 'GET'): string {
  const [, query = ''] =
    (/^(GET|HEAD)$/.test(method) && QUERIES.find(([end]) => template.endsWith(end))) || [];
  const whole = template + query;
  return whole.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    if (value === undefined) throw new Error(`no test value for the path parameter ${name}`);
    return value;
  });
}

/** The smallest body that a schema accepts, of its examples. */
function exampleOf(schema: Schema): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices?.[0]) return exampleOf(choices[0]);
  if (schema.type === 'object') {
    const required = schema.required ?? [];
    return Object.fromEntries(required.map((name) => [name, exampleOf(schema.properties?.[name] ?? {})]));
  }
  if (schema.type === 'array') return [];
  if (schema.type === 'boolean') return true;
  return schema.type === 'string' ? 'text' : 1;
}
