import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { secret } from '../../../src/kernel/secret.ts';
import { masterKeyFrom, unwrapBytes } from '../../../src/vault/keyring.ts';
import type { KeyRow } from '../../../src/vault/queries.ts';
import type { RevealedCredentials } from '../../support/cards/card-states.ts';
import { businessCard, CARDS, consumerCard, shippingInformation } from '../../support/cards/cards.ts';
import { challengeOf, newVerifier } from '../../support/cards/reveal.ts';
import { sql } from '../../support/database/database.ts';
import { eventually } from '../../support/scripts/eventually.ts';
import { freePort } from '../../support/server/free-port.ts';
import {
  type Backup,
  dumpRows,
  find,
  findBytes,
  findInFiles,
  makeBackup,
  type Needle,
  numberNeedles,
  SEPARATORS,
  textNeedle,
} from '../../support/server/scan.ts';
import {
  embeddedUrl,
  endAll,
  newDataDir,
  type ServerProcess,
  spawnServer,
  startServerProcess,
} from '../../support/server/server-process.ts';
import { csvOf, linesOf, ndjsonOf, recordOf } from '../../support/settlement/records.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts';

/** Values that nothing but a leak would bring to light. */
const KEYS = { merchant: 'unmistakable-merchant-key-7Q', network: 'unmistakable-network-key-8R' };
const IDEMPOTENCY_KEY = 'unmistakable-idempotency-key-9S';
/** No card has it, for it is too long, and no number is written like it. */
const SENT_CVV = '0739';
const PERSON = {
  'first name': 'Zebulonia',
  'last name': 'Quixworthy',
  'card name': 'Z Q UNMISTAKABLE',
  'birth date': '1931-03-29',
  'document number': 'DOC-XKQ-55871',
  street: '77 Hushabye Passage',
  phone: '70091746283',
  'e-mail': 'zebulonia@hush-mail.example',
  'new phone': '70091746284',
  'new e-mail': 'zebulonia@new-mail.example',
  'customer id': 'unmistakable-customer-1',
  'applicant id': 'unmistakable-applicant-1',
  business: 'Whisperwind Holdings',
  'registration number': 'REG-QZX-90417',
  recipient: 'Murmurstone',
};
const OPERATOR_PASSWORD = 'unmistakable operator password 5T';
/** What they answer is for the caller alone. */
const SHOWS_SECRETS =
  /^POST \/reveal\/|\/(credentials|reveal|keys|rotate|session|second-factor|recovery-codes)\/$|^POST .*\/(webhook-endpoints|rotate-secret)\/$|^PUT .*\/decision-endpoints\/(authorization|otp)\/$/;
const CONSOLE_READS = [
  ...['keys/', 'search/?q=zebulonia', 'overview/', 'live/', 'reports/', 'transactions/'],
  ...['transactions/{purchase}/', 'cards/{card}/history/', 'cards/{card}/timeline/'],
];
interface Session {
  csrfToken: string;
  programs: [{ id: string }];
}
/** Keys and tokens that were handed out at the console. */
const shownOnce: string[] = [];
/** Stands in a table on purpose: the scan that finds nothing else must find this. */
const PLANTED = '9999991234567893';

let dataDir: string;
let server: ServerProcess;
/** Sends the webhooks and makes the reports; the server only answers. */
let worker: ServerProcess;
const numbers: string[] = [];
const cvvs: string[] = [];
/** One-time passwords, as the merchant's server got them. */
const otps: string[] = [];
let otpReceiver: Receiver | undefined;
let purchaseId: string;
const called = new Set<string>();
/** Bodies of all answers but revealed credentials. */
const answers: string[] = [];
let ordinaryAnswers: string;
const errors: string[] = [];
const requestIds: string[] = [];
let log: string;
let workerLog: string;
/** Everything that left for the merchant's endpoint, headers and all. */
const delivered: string[] = [];
let receiver: Server | undefined;
/** What the memory of both holds when all requests are over and the garbage is gone. */
let heaps: { server: Buffer; worker: Buffer };
let dump: Map<string, string>;
let backup: Backup;
let needles: { numbers: Needle[]; cvvs: Needle[]; keys: Needle[]; person: Needle[] };
let password: string;
let masterKey: string;

const NETWORK = '/api/v1/network/';
const SANDBOX = '/api/v1/sandbox/';

interface Options {
  body?: unknown;
  raw?: string;
  headers?: Record<string, string>;
}

async function call(method: string, path: string, { body, raw, headers }: Options = {}) {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(server.url + path, {
    method,
    headers: {
      ...(path.startsWith(NETWORK)
        ? { 'x-network-key': KEYS.network }
        : { 'x-payments-api-key': KEYS.merchant }),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
  });
  called.add(
    `${method} ${path.split('?')[0]?.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|classic-black|(?<=files\/)daily|(?<=endpoints\/)(authorization|otp)|(?<=(?:customers|rule-lists)\/)(?!\?)[^/?]+|acs-\d+|tok-\d+|clr-file-\d+|emboss-[\w.-]+/g, '{id}')}`,
  );
  requestIds.push(response.headers.get('x-request-id') ?? 'none');
  const text = await response.text();
  if (SHOWS_SECRETS.test(`${method} ${path}`) && response.ok)
    return { status: response.status, text, body: JSON.parse(text) };
  answers.push(text);
  if (!response.ok) errors.push(text);
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined };
}

const person = consumerCard({
  kycApplicantId: PERSON['applicant id'],
  preferredCardName: PERSON['card name'],
  kyc: {
    firstName: PERSON['first name'],
    lastName: PERSON['last name'],
    dob: PERSON['birth date'],
    residentialAddress: {
      idDocumentType: 'passport',
      idDocumentNumber: PERSON['document number'],
      line1: PERSON.street,
      line2: '',
      city: 'London',
      country: 'GBR',
    },
  },
  meta: {
    id: PERSON['customer id'],
    otpPhoneNumber: { dialCode: 44, phoneNumber: PERSON.phone },
    email: PERSON['e-mail'],
  },
});
const business = businessCard({
  cardType: 'physical',
  preferredCardName: PERSON['card name'],
  kyc: {
    fullName: PERSON.business,
    entityType: 'company',
    businessRegistrationNumber: PERSON['registration number'],
    businessOperationAddress: { line1: PERSON.street, line2: '', city: 'London', country: 'GBR' },
  },
});

const applicantOf = ({ kyc }: { kyc: unknown }) => ({ customerType: 'Consumer', kyc });

/** Reveals the card's number and remembers it as something that must be found nowhere. */
async function reveal(cardId: string): Promise<RevealedCredentials> {
  const { status, body } = await call('GET', `${CARDS}${cardId}/credentials/`);
  expect(status).toBe(200);
  numbers.push(body.cardNumber);
  cvvs.push(body.cvv);
  return body;
}

/** A call that must succeed; gives back the body of the answer. */
async function succeed(method: string, path: string, options: Options = {}) {
  const { status, body } = await call(method, path, options);
  expect([method, path, status < 300]).toEqual([method, path, true]);
  return body;
}

const MERCHANT = { id: 'm-1', name: 'Corner Coffee', mcc: '5814', city: 'London', country: 'GB' };
const bill = (amount: string) => ({
  ...{ amount, currency: 'EUR', bill_amount: amount, bill_currency: 'EUR' },
});
const purchaseWith = ({ cardNumber, expiryDate }: RevealedCredentials, changes: object = {}) => ({
  external_transaction_id: 'net-1',
  card_number: cardNumber,
  expiry: expiryDate.slice(0, 7),
  amount: '12.50',
  currency: 'EUR',
  channel: 'ECOMMERCE',
  merchant: MERCHANT,
  ...changes,
});

/** Every route of the network API: number and CVV, right, wrong and outdated, pass through it. */
async function networkDay(current: RevealedCredentials, outdated: RevealedCredentials): Promise<void> {
  const send = (path: string, body: object) => succeed('POST', `${NETWORK}${path}/`, { body });
  const authorize = (from: RevealedCredentials, changes: object) =>
    send('authorizations', purchaseWith(from, changes));
  for (const _copy of [1, 2])
    expect(await authorize(current, { cvv: current.cvv })).toMatchObject({ approved: true });
  const guess = { external_transaction_id: 'net-2', cvv: SENT_CVV };
  expect(await authorize(current, guess)).toMatchObject({ decline_reason: 'cvv_mismatch' });
  const late = { external_transaction_id: 'net-3', cvv: outdated.cvv };
  expect(await authorize(outdated, late)).toMatchObject({ decline_reason: 'invalid_card_number' });
  await send('increments', {
    external_transaction_id: 'net-1',
    increment_id: 'inc-1',
    amount: '1.00',
    currency: 'EUR',
  });
  await send('reversals', { external_transaction_id: 'net-1', reversal_id: 'rev-1', bill_amount: '2.50' });
  await send('clearings', { external_transaction_id: 'net-1', clearing_id: 'clr-1', ...bill('10.00') });
  const { cardNumber: card_number } = current;
  const first = { external_transaction_id: 'net-4', clearing_id: 'clr-2', card_number };
  await send('clearings', { ...first, ...bill('11.00') });
  await send('refunds', { refund_id: 'ref-1', card_number, ...bill('12.00') });
  await send('reversals', { clearing_id: 'clr-2', reversal_id: 'rev-2' });
  await clearingFileDay(card_number);
}

/** Clearing files with the number, in both formats: one is booked, one rejected after the number was read. */
async function clearingFileDay(card_number: string): Promise<void> {
  const merchant = { ...MERCHANT, name: `of ${card_number}` };
  const records = [1, 2].map(() => recordOf('refund', '1.00', { card_number, merchant }));
  const files = [...[ndjsonOf, csvOf].entries()].flatMap(([index, write]) => {
    const type = write === csvOf ? 'text/csv' : 'application/x-ndjson';
    const [good, bad] = [`clr-file-${index}`, `clr-file-${index}0`];
    const broken = [...linesOf(bad, records), { ...records[0], currency: card_number }];
    return [
      { id: good, type, raw: write(linesOf(good, records)), status: 'COMPLETED' },
      { id: bad, type, raw: write(broken), status: 'REJECTED' },
    ];
  });
  for (const { id, type, raw, status } of files) {
    const query = `file_id=${id}&settlement_date=2026-11-17&last=false`;
    const headers = { 'content-type': type };
    for (const _copy of [1, 2]) await succeed('POST', `${NETWORK}clearing-files/?${query}`, { raw, headers });
    await eventually(async () =>
      expect((await succeed('GET', `${NETWORK}clearing-files/${id}/`)).status).toBe(status),
    );
  }
}

const CUSTOMERS = '/api/v1/merchant/customers/';
const BATCHES = '/api/v1/merchant/card-batches/';

/** The same as the merchant plays it, and what the merchant may do about money. */
async function moneyDay(cardId: string, { cvv }: RevealedCredentials, headers: object): Promise<void> {
  const send = (path: string, body: object) => succeed('POST', `${SANDBOX}${path}/`, { body });
  const swipe = (changes: object) => send('authorizations', { card_id: cardId, amount: '13.00', ...changes });
  const { transaction_id } = await swipe({ cvv });
  purchaseId = transaction_id;
  expect(await swipe({ cvv: SENT_CVV })).toMatchObject({ decline_reason: 'cvv_mismatch' });
  await send('increments', { transaction_id, amount: '1.00' });
  await send('clearings', { transaction_id, ...bill('13.00') });
  await send('refunds', { transaction_id });
  await send('reversals', { transaction_id: (await swipe({})).transaction_id });
  await succeed('PUT', `${CARDS}${cardId}/spend-controls/`, { body: { dailyLimit: 1000 } });
  await succeed('GET', `${CARDS}${cardId}/spend-controls/`);
  const batch = await succeed('POST', BATCHES, { body: { cards: [person] } });
  await eventually(async () =>
    expect((await succeed('GET', `${BATCHES}${batch.id}/`)).status).toBe('COMPLETED'),
  );
  expect((await succeed('GET', BATCHES)).count).toBe(1);
  expect((await succeed('GET', `${BATCHES}${batch.id}/rows/`)).count).toBe(1);
  const [customer] = (await succeed('GET', CUSTOMERS)).results;
  await succeed('GET', `${CUSTOMERS}${customer.id}/`);
  for (const freeze of [true, false])
    await succeed('PUT', `${CUSTOMERS}${customer.id}/freeze/`, { body: { freeze } });
  await succeed('PUT', `${CARDS}${cardId}/usage/`, { body: { usage: { purchases: 1000 } } });
  const metadata = { body: { metadata: { order_id: '4711' } } };
  await succeed('PUT', `${CARDS}${cardId}/metadata/`, metadata);
  await succeed('PUT', `/api/v1/merchant/transactions/${transaction_id}/metadata/`, metadata);
  const contact = {
    otpPhoneNumber: { dialCode: 49, phoneNumber: PERSON['new phone'] },
    email: PERSON['new e-mail'],
  };
  await succeed('PUT', `${CARDS}${cardId}/contact/`, { body: contact });
  const adjustment = { body: { amount: 20, reference: 'top-up 1' }, headers: headers as Options['headers'] };
  for (const _copy of [1, 2])
    await succeed('POST', `${CARDS}${cardId}/balance-adjustments/`, adjustment as Options);
  expect((await succeed('GET', `${CARDS}${cardId}/balance-adjustments/`)).count).toBe(1);
  for (const path of ['/api/v1/merchant/transactions/', `${CARDS}${cardId}/transactions/`])
    expect((await succeed('GET', path)).count).toBeGreaterThan(5);
  await succeed('GET', `/api/v1/merchant/transactions/${transaction_id}/`);
  await succeed('PUT', '/api/v1/merchant/account/alert/', { body: { alertBelow: 1 } });
  await succeed('GET', '/api/v1/merchant/account/');
}

/** A rule that names the customer, and is tried on history. */
async function ruleDay(): Promise<void> {
  const rules = '/api/v1/merchant/rules/';
  const lists = '/api/v1/merchant/rule-lists/';
  const values = [person.meta.id];
  await succeed('PUT', `${lists}watched/`, { body: { type: 'customer', values } });
  for (const step of ['add', 'remove'])
    await succeed('POST', `${lists}watched/${step}/`, { body: { values } });
  for (const path of [lists, `${lists}watched/`, rules, `${rules}fields/`]) await succeed('GET', path);
  const when = { field: 'customer.id', op: 'inList', value: 'watched' };
  await succeed('POST', `${rules}validate/`, { body: { when } });
  await succeed('POST', `${rules}evaluate/`, { body: { when, sample: { 'customer.id': person.meta.id } } });
  const body = { name: 'Watched', appliesTo: { customerIds: values }, when, action: 'FLAG' };
  const rule = `${rules}${(await succeed('POST', rules, { body })).id}/`;
  await succeed('POST', `${rule}promote/`, { body: { confirm: true } });
  const day = new Date().toISOString().slice(0, 10);
  const span = { from: day, to: day, mode: 'OBSERVED' };
  for (const [path, more] of [
    [`${rule}backtests/`, {}],
    ['/api/v1/merchant/rule-backtests/', { rule: body }],
  ] as const) {
    const { id } = await succeed('POST', path, { body: { ...span, ...more } });
    for (const end of [`${id}/`, `${id}/matches/`]) await succeed('GET', path + end);
  }
  for (const end of ['', 'matches/', 'report/', 'backtests/']) await succeed('GET', rule + end);
  await succeed('POST', `${rule}demote/`);
  await succeed('DELETE', rule);
  await succeed('DELETE', `${lists}watched/`);
}

/** An endpoint that is there from the first event to the last. */
async function listen(): Promise<void> {
  receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      delivered.push(`${request.url}\n${request.rawHeaders.join('\n')}\n${body}`);
      response.end();
    });
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const { port } = receiver.address() as AddressInfo;
  const { secret: signingSecret } = await succeed('POST', '/api/v1/merchant/webhook-endpoints/', {
    body: { url: `http://127.0.0.1:${port}/hooks` },
    headers: { 'idempotency-key': IDEMPOTENCY_KEY },
  });
  shownOnce.push(signingSecret);
}

async function untilDelivered(): Promise<void> {
  await vi.waitFor(
    async () => {
      const waiting = `select from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
                       where d.due_at is not null and e.url not like '%:9/%'`;
      expect(await sql(embeddedUrl(dataDir), waiting)).toEqual([]);
    },
    { timeout: 60_000, interval: 100 },
  );
}

function lastBytes(path: string, count: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(count);
    return bytes.subarray(0, readSync(file, bytes, 0, count, Math.max(0, fstatSync(file).size - count)));
  } finally {
    closeSync(file);
  }
}

/** V8 collects its garbage before it writes the snapshot, into the directory where the process runs. */
async function snapshotHeap({ child }: ServerProcess): Promise<Buffer> {
  const { pid } = child;
  child.kill('SIGUSR2');
  const isOurs = (name: string) => name.endsWith('.heapsnapshot') && name.includes(`.${pid}.`);
  const path = await vi.waitFor(
    () => {
      const name = readdirSync(tmpdir()).find(isOurs);
      const found = join(tmpdir(), name ?? 'none');
      // The last thing that is written.
      expect(lastBytes(found, 3).toString().trimEnd()).toMatch(/\]\}$/);
      return found;
    },
    { timeout: 90_000, interval: 200 },
  );
  const bytes = readFileSync(path);
  rmSync(path);
  return bytes;
}

/** Endpoints and their secrets, events and their deliveries. No server listens at the address. */
async function webhookDay(): Promise<void> {
  const [endpoints, events] = ['webhook-endpoints/', 'webhook-events/'].map(
    (name) => `/api/v1/merchant/${name}`,
  );
  const { id } = await succeed('POST', `${endpoints}`, { body: { url: 'http://127.0.0.1:9/hooks' } });
  for (const path of [endpoints, `${endpoints}${id}/`]) await succeed('GET', `${path}`);
  await succeed('PUT', `${endpoints}${id}/`, {
    body: { url: 'http://127.0.0.1:9/changed', eventTypes: null, paused: false },
  });
  for (const what of ['test', 'rotate-secret', 'enable']) await succeed('POST', `${endpoints}${id}/${what}/`);
  const { eventId } = (await succeed('GET', `${events}`)).results[0];
  await succeed('GET', `${events}${eventId}/`);
  await succeed('POST', `${events}${eventId}/resend/`);
  await succeed('POST', `${events}resend/`, { body: { since: '2020-01-01T00:00:00Z' } });
  await succeed('DELETE', `${endpoints}${id}/`);
}

/** A decision endpoint and its secrets. No server listens at the address. */
async function decisionDay(): Promise<void> {
  const endpoint = '/api/v1/merchant/decision-endpoints/authorization/';
  const { secret: first } = await succeed('PUT', endpoint, { body: { url: 'http://127.0.0.1:9/' } });
  const { secret: second } = await succeed('POST', `${endpoint}rotate-secret/`);
  shownOnce.push(first, second);
  await succeed('GET', endpoint);
  await succeed('POST', `${endpoint}test/`);
  await succeed('DELETE', endpoint);
}

/** Sessions that show a card: one used, one spoiled by wrong verifiers, and one that stays open. */
async function revealDay(cardId: string): Promise<void> {
  const open = async (): Promise<[path: string, verifier: string]> => {
    const verifier = newVerifier();
    const body = { origin: null, challenge: challengeOf(verifier) };
    const headers = { 'idempotency-key': verifier };
    const { url } = await succeed('POST', `${CARDS}${cardId}/reveal-sessions/`, { body, headers });
    shownOnce.push(verifier);
    return [new URL(url).pathname, verifier];
  };
  const [used, verifier] = await open();
  await succeed('GET', used);
  const shown = await succeed('POST', used, { body: { verifier } });
  expect(numbers).toContain(shown.cardNumber);
  const [spoiled] = await open();
  for (let attempt = 0; attempt < 4; attempt++) {
    const wrong = newVerifier();
    shownOnce.push(wrong);
    expect((await call('POST', spoiled, { body: { verifier: wrong } })).status).toBe(404);
  }
  await open();
}

/** Every route of 3-D Secure and of wallets. The merchant's server gets codes, right, replaced and unused. */
async function authenticationDay(cardId: string, { cardNumber }: RevealedCredentials): Promise<void> {
  otpReceiver = await startReceiver(({ body }, response) => {
    otps.push(JSON.parse(body).data.otp);
    response.end();
  });
  const endpoint = '/api/v1/merchant/decision-endpoints/otp/';
  shownOnce.push((await succeed('PUT', endpoint, { body: { url: otpReceiver.url } })).secret);
  const path = (n: number, rest = '') => `${NETWORK}authentications/acs-${n}/${rest}`;
  const create = (n: number) =>
    succeed('POST', `${NETWORK}authentications/`, {
      body: {
        authentication_id: `acs-${n}`,
        card_number: cardNumber,
        amount: '12.50',
        currency: 'EUR',
        merchant: MERCHANT,
        device_channel: 'BROWSER',
        category: 'PAYMENT',
        challenge: 'NO_PREFERENCE',
      },
    });
  const attempt = (n: number, otp = otps.at(-1)) => succeed('POST', path(n, 'attempts/'), { body: { otp } });
  for (let n = 1; n <= 12; n++) {
    expect(await create(n)).toMatchObject({ status: 'CHALLENGE', method: 'OTP' });
    if (n === 1) await succeed('POST', path(n, 'resend/'));
    // The code of the one before: well-formed, and wrong here.
    if (n === 2) await attempt(n, otps[0]);
    if (n === 3) await succeed('POST', path(n, 'cancel/'));
    else expect(await attempt(n)).toMatchObject({ status: 'AUTHENTICATED' });
    await succeed('GET', path(n));
  }
  const wallet = `${NETWORK}tokenizations/tok-1/otp/`;
  await succeed('POST', wallet, { body: { card_number: cardNumber } });
  await succeed('POST', wallet, { body: { otp: otps.at(-1) } });
  const forwarding = `${CARDS}${cardId}/3ds-forwarding/`;
  await succeed('PUT', forwarding, { body: { enabled: true } });
  await succeed('GET', forwarding);
  expect(await create(13)).toMatchObject({ method: 'OUT_OF_BAND' });
  const { results } = await succeed('GET', '/api/v1/merchant/webhook-events/');
  const { data } = results.find(
    ({ eventName }: { eventName: string }) => eventName === 'authentication.challenge',
  );
  await succeed('POST', `/api/v1/merchant/authentications/${data.id}/answer/`, { body: { approve: true } });
  // Out of band, so that the sandbox has no code to show.
  const simulated = { body: { card_id: cardId, amount: '9.00' } };
  const { id } = await succeed('POST', `${SANDBOX}authentications/`, simulated);
  expect(await succeed('GET', `${SANDBOX}authentications/${id}/`)).toMatchObject({ otp: null });
}

/** Requested, generated by the worker, and downloaded by its link. */
async function fetchReport(): Promise<void> {
  const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  const { body: requested } = await call('GET', `/api/v1/merchant/files/daily/?date=${day}`);
  const link = await vi.waitFor(
    async () => {
      const { body } = await call('GET', `/api/v1/merchant/files/requests/${requested.reference_id}/`);
      expect(body.status).toBe('ready');
      return new URL(body.link);
    },
    { timeout: 60_000, interval: 100 },
  );
  const { status, text } = await call('GET', link.pathname + link.search);
  expect([status, text.slice(0, 11)]).toEqual([200, 'event_time,']);
}

/** Every route of the document, with success. */
async function ordinaryDay(): Promise<string> {
  const headers = { 'idempotency-key': IDEMPOTENCY_KEY };
  const { body: card } = await call('POST', CARDS, { body: person, headers });
  const again = await call('POST', CARDS, { body: person, headers });
  expect(again.body.id).toBe(card.id);
  const { body: plastic } = await call('POST', CARDS, { body: business });
  const [current, outdated] = [await reveal(card.id), await reveal(plastic.id)];
  const shipping = shippingInformation({ recipientLastName: PERSON.recipient, cardDesign: 'classic-black' });
  const replacement = { body: { shippingInformation: shipping }, headers };
  expect((await call('PUT', `${CARDS}${plastic.id}/replace/`, replacement)).status).toBe(200);
  await reveal(plastic.id);
  await networkDay(current, outdated);
  await moneyDay(card.id, current, headers);
  await ruleDay();
  await authenticationDay(card.id, current);
  for (const path of [CARDS, `${CARDS}${card.id}/`]) expect((await call('GET', path)).status).toBe(200);
  expect((await call('PUT', `${CARDS}${card.id}/freeze/`, { body: { freeze: true } })).status).toBe(200);
  for (const path of ['', 'classic-black/'])
    expect((await call('GET', `/api/v1/merchant/card-design/${path}`)).status).toBe(200);
  await fetchReport();
  await webhookDay();
  await decisionDay();
  await revealDay(card.id);
  expect((await call('GET', '/api/v1/sandbox/clock/')).status).toBe(200);
  expect((await call('POST', '/api/v1/sandbox/clock/', { body: { advance_seconds: 60 } })).status).toBe(200);
  const applicant = { ...applicantOf(person), kycApplicantId: 'registered-1' };
  expect((await call('POST', '/api/v1/sandbox/kyc-applicants/', { body: applicant })).status).toBe(201);
  const known = await call('POST', CARDS, { body: { ...person, kycApplicantId: 'registered-1' } });
  expect(known.status).toBe(201);
  for (const path of ['/health/live', '/health/ready', '/metrics', '/openapi.json', '/docs/'])
    expect((await call('GET', path)).status).toBe(200);
  return card.id;
}

/** Every route of the console: signing in, looking, revealing for a reason, keys. */
async function consoleDay(cardId: string): Promise<void> {
  const [, email, printed] = /Sign-in +(\S+@\S+) +(\S+)/.exec(server.stdout()) ?? [];
  const { headers, session } = await signIn({ email, password: printed });
  const change = { currentPassword: printed, newPassword: OPERATOR_PASSWORD };
  await succeed('PUT', '/console/api/session/password/', { body: change, headers });
  await succeed('GET', '/console/api/session/', { headers });
  const program = `/console/api/programs/${session.programs[0].id}/`;
  const get = (path: string) => succeed('GET', `${program}${path}`, { headers });
  for (const path of CONSOLE_READS)
    await get(path.replace('{card}', cardId).replace('{purchase}', purchaseId));
  const spelled = (numbers[0] as string).replace(/(.{4})(?=.)/g, '$1.');
  const reason = `cardholder spelled it: ${numbers[0]}, ${spelled}`;
  for (const path of [`merchant/webhook-endpoints/${spelled}/test/`, `merchant/cards/${spelled}/block/`])
    await call(path.endsWith('test/') ? 'POST' : 'PUT', `${program}${path}`, { headers, body: { reason } });
  await call('POST', `${program}keys/`, { headers, body: { kind: 'merchant', name: spelled } });
  const revealed = await succeed('POST', `${program}cards/${cardId}/reveal/`, { body: { reason }, headers });
  expect(numbers).toContain(revealed.cardNumber);
  const body = { kind: 'merchant', name: 'made at the console' };
  const made = await succeed('POST', `${program}keys/`, { body, headers });
  expect((await call('GET', CARDS, { headers: { 'x-payments-api-key': made.key } })).status).toBe(200);
  const rotate = `${program}keys/${made.id}/rotate/`;
  const next = await succeed('POST', rotate, { body: { overlapSeconds: 0 }, headers });
  await succeed('DELETE', `${program}keys/${next.id}/`, { headers });
  shownOnce.push(made.key, next.key);
  await secondFactorDay(headers);
  const again = await signIn({ email, password: OPERATOR_PASSWORD });
  await call('POST', '/console/api/session/', { body: { email, password: `${OPERATOR_PASSWORD}!` } });
  await succeed('DELETE', '/console/api/session/', again);
}

async function secondFactorDay(headers: Record<string, string>): Promise<void> {
  const path = '/console/api/session/second-factor/';
  const proof = { password: OPERATOR_PASSWORD };
  const { secret: base32, enrolment } = await succeed('POST', path, { body: proof, headers });
  const code = new TOTP({ secret: base32 }).generate();
  const first = await succeed('PUT', path, { body: { enrolment, code }, headers });
  const renew = { ...proof, code: first.recoveryCodes[0] };
  const second = await succeed('POST', `${path}recovery-codes/`, { body: renew, headers });
  await succeed('POST', `${path}remove/`, { body: { ...proof, code: second.recoveryCodes[0] }, headers });
  shownOnce.push(base32, ...first.recoveryCodes, ...second.recoveryCodes);
}

async function signIn(body: object): Promise<{ headers: Record<string, string>; session: Session }> {
  const response = await fetch(`${server.url}/console/api/session/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  called.add('POST /console/api/session/');
  const session = (await response.json()) as Session;
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] as string;
  shownOnce.push(cookie.split('=')[1] as string, session.csrfToken);
  return { headers: { cookie, 'x-csrf-token': session.csrfToken }, session };
}

/** A caller who puts the card number wherever one can put it. */
async function carelessDay(cardId: string): Promise<void> {
  const number = numbers[0] as string;
  const spaced = number.replace(/(.{4})(?=.)/g, '$1 ');
  const odd = SEPARATORS.map((by) => number.replace(/(.{4})(?=.)/g, `$1${by}`));
  const calls: [string, string, Options?][] = [
    ...odd.flatMap((text): [string, string, Options?][] => [
      ['GET', `${CARDS}${encodeURIComponent(text)}/`],
      ['POST', CARDS, { body: { ...person, kycApplicantId: text } }],
      ['POST', CARDS, { body: { ...person, preferredCardName: text } }],
      ['POST', CARDS, { body: { ...person, meta: { ...(person.meta as object), id: `x${text}` } } }],
      ['POST', '/api/v1/merchant/webhook-endpoints/', { body: { url: `http://127.0.0.1:9/${text}` } }],
      [
        'PUT',
        '/api/v1/merchant/decision-endpoints/authorization/',
        { body: { url: `http://127.0.0.1:9/${text}` } },
      ],
      ['POST', '/api/v1/sandbox/kyc-applicants/', { body: { ...applicantOf(person), kycApplicantId: text } }],
      ['POST', `${CARDS}${cardId}/balance-adjustments/`, { body: { amount: 1, reference: `for ${text}` } }],
    ]),
    ['GET', `${CARDS}${number}/`],
    ['GET', `${CARDS}${number}/credentials/`],
    ['GET', `${CARDS}?page=${number}`],
    ['GET', `${CARDS}?min_created=${encodeURIComponent(spaced)}`],
    ['GET', `${CARDS}?after=${number}&${number}=${number}`],
    ['GET', `/api/v1/merchant/card-design/${number}/`],
    ['GET', `/nowhere/${number}`],
    ['DELETE', `${CARDS}${number}/`],
    ['GET', `/${number}/%E0%A4%A`],
    ['POST', CARDS, { raw: `{"card": "${number}"` }],
    ['POST', CARDS, { raw: `"${number}"` }],
    ['POST', CARDS, { body: { ...person, cardType: number, customerType: spaced } }],
    ['POST', CARDS, { body: { ...person, cardDesign: number } }],
    ['POST', CARDS, { body: { ...person, kycApplicantId: `not-found-${number}` } }],
    ['POST', CARDS, { body: { ...person, kycApplicantId: `timeout-${number}` } }],
    ['POST', CARDS, { body: { ...person, kyc: { ...(person.kyc as object), dob: number } } }],
    ['POST', CARDS, { body: { ...person, preferredCardName: number, kycApplicantId: number } }],
    ['POST', CARDS, { body: person, headers: { 'idempotency-key': number } }],
    ['POST', CARDS, { raw: JSON.stringify(person), headers: { 'content-type': `text/${number}` } }],
    ['POST', '/api/v1/sandbox/clock/', { body: { now: number } }],
    ['PUT', `${CARDS}${cardId}/freeze/`, { body: { freeze: number } }],
    ['PUT', `${CARDS}${cardId}/replace/`, { body: { renewOption: number } }],
    [
      'GET',
      CARDS,
      {
        headers: {
          'x-payments-api-key': number,
          'user-agent': number,
          'x-request-id': number,
          cookie: number,
        },
      },
    ],
    ['PUT', `${CARDS}${cardId}/block/`, { body: { reason: `stolen: ${spaced}, ${number}` } }],
  ];
  for (const args of [...calls, ...carelessPayments(cardId)]) await call(...args);
  const { body: blocked } = await call('GET', `${CARDS}${cardId}/`);
  expect(blocked.statusReason).toBe('stolen: [card number]');
  await new Promise<void>((done) => {
    const raw = connect(Number(new URL(server.url).port), '127.0.0.1', () => raw.write(`${number}\r\n\r\n`));
    raw.on('data', (bytes) => errors.push(String(bytes))).on('close', () => done());
  });
}

/** The same carelessness with money: ids, names and references are kept in clear, and must not contain a number. */
function carelessPayments(cardId: string): [string, string, Options?][] {
  const [number, other] = numbers as [string, string];
  const spaced = number.replace(/(.{4})(?=.)/g, '$1 ');
  const hyphened = number.replace(/(.{4})(?=.)/g, '$1-');
  const paid = purchaseWith({ cardNumber: number, expiryDate: '2029-11-15' } as RevealedCredentials);
  const odd = SEPARATORS.map((by) => number.replace(/(.{4})(?=.)/g, `$1${by}`));
  const texts = [number, spaced, hyphened, other, `card ${number} of 2`, ...odd];
  const ids = [number, spaced, `net ${hyphened}`, other];
  const post = (path: string, body: object): [string, string, Options] => ['POST', path, { body }];
  const authorize = (changes: object) => post(`${NETWORK}authorizations/`, { ...paid, ...changes });
  const named = (field: string, value: string, index: number) => ({
    external_transaction_id: `careless-${field}-${index}`,
    merchant: { ...MERCHANT, [field]: value },
  });
  const fields = [
    'amount',
    'currency',
    'bill_amount',
    'bill_currency',
    'channel',
    'expiry',
    'cvv',
    'merchant',
  ];
  const swipe = { card_id: cardId, amount: '1.00' };
  return [
    ...fields.map((field) => authorize({ [field]: number })),
    authorize({ card_number: spaced }),
    authorize({ external_transaction_id: 'net-1' }),
    ...['id', 'name', 'city'].flatMap((field) =>
      texts.flatMap((value, index) => [
        authorize(named(field, value, index)),
        post(`${SANDBOX}authorizations/`, { ...swipe, ...named(field, value, index + texts.length) }),
      ]),
    ),
    ...['mcc', 'country'].map((field) => authorize(named(field, number, 0))),
    ...ids.flatMap((id) => [
      authorize({ external_transaction_id: id }),
      post(`${NETWORK}increments/`, {
        ...{ external_transaction_id: id, increment_id: `i ${id}` },
        ...bill('1.00'),
      }),
      post(`${NETWORK}increments/`, {
        ...{ external_transaction_id: 'net-1', increment_id: id },
        ...bill('1.00'),
      }),
      post(`${NETWORK}reversals/`, { external_transaction_id: id, reversal_id: `r ${id}` }),
      post(`${NETWORK}reversals/`, { clearing_id: id, reversal_id: `rc ${id}` }),
      post(`${NETWORK}reversals/`, { refund_id: id, reversal_id: `rr ${id}` }),
      post(`${NETWORK}clearings/`, { external_transaction_id: 'net-1', clearing_id: id, ...bill('1.00') }),
      post(`${NETWORK}clearings/`, {
        ...{ external_transaction_id: id, clearing_id: `c ${id}`, card_number: number },
        ...bill('1.00'),
      }),
      post(`${NETWORK}refunds/`, { refund_id: id, external_transaction_id: 'net-1', ...bill('1.00') }),
      post(`${NETWORK}refunds/`, { refund_id: `f ${id}`, card_number: number, ...bill('1.00') }),
      post(`${SANDBOX}authorizations/`, { ...swipe, external_transaction_id: id }),
      post(`${SANDBOX}reversals/`, { transaction_id: id }),
      post(`${CARDS}${cardId}/balance-adjustments/`, { amount: 1, reference: `for ${id}` }),
    ]),
    ...['increment', 'clearing', 'reversal', 'refund'].flatMap((kind) =>
      ids.map((id) =>
        post(`${SANDBOX}${kind}s/`, { transaction_id: purchaseId, amount: '1.00', [`${kind}_id`]: id }),
      ),
    ),
    ['PUT', `${CARDS}${cardId}/spend-controls/`, { body: { allowedMccs: [number], dailyLimit: null } }],
    ['PUT', `${CARDS}${cardId}/spend-controls/`, { body: { dailyLimit: Number(number) } }],
    ['PUT', `${CARDS}${cardId}/usage/`, { body: { usage: { merchants: [number] } } }],
    ['PUT', `${CARDS}${cardId}/metadata/`, { body: { metadata: { order_id: number } } }],
    ['GET', `${CARDS}?metadata[order_id]=${number}`],
    ['GET', `/api/v1/merchant/customers/${number}/`],
    ['GET', `/api/v1/merchant/transactions/?after=${number}`],
    ['GET', `${CARDS}${number}/transactions/`],
    ['POST', `${NETWORK}refunds/`, { body: {}, headers: { 'x-network-key': number } }],
  ];
}

/** A row that was tampered with: its 500 goes through the log of errors. */
async function brokenVault(cardId: string): Promise<void> {
  await sql(embeddedUrl(dataDir), "update vault_records set sealed = sealed || '\\x00' where owner_id = $1", [
    cardId,
  ]);
  const { status, body } = await call('GET', `${CARDS}${cardId}/credentials/`);
  expect({ status, message: body.message }).toEqual({
    status: 500,
    message: expect.stringMatching(/request req_/),
  });
}

async function dataKeys(): Promise<Needle[]> {
  const rows = await sql<KeyRow>(
    embeddedUrl(dataDir),
    'select id, purpose, wrapped, master_key_id as "masterKeyId" from vault_keys',
  );
  const masters = [masterKeyFrom(secret(masterKey))];
  expect(rows.length).toBeGreaterThan(4);
  return rows.map((row) => ({ name: `data key ${row.id}`, bytes: unwrapBytes(masters, row) }));
}

beforeAll(async () => {
  dataDir = newDataDir();
  const settings = {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'trace',
    NODE_OPTIONS: '--heapsnapshot-signal=SIGUSR2',
  };
  server = await startServerProcess(await freePort(), {
    ...settings,
    EMBOSS_ROLES: 'api',
    EMBOSS_SANDBOX_API_KEY: KEYS.merchant,
    EMBOSS_SANDBOX_NETWORK_KEY: KEYS.network,
  });
  masterKey = readFileSync(join(dataDir, 'master-key'), 'utf8').trim();
  worker = spawnServer(await freePort(), {
    ...settings,
    EMBOSS_ROLES: 'worker',
    DATABASE_URL: embeddedUrl(dataDir),
    EMBOSS_MASTER_KEY: masterKey,
    PUBLIC_URL: server.url,
  });
  await listen();
  const cardId = await ordinaryDay();
  await consoleDay(cardId);
  ordinaryAnswers = answers.join('\n');
  await carelessDay(cardId);
  await brokenVault(cardId);
  await untilDelivered();
  const [ofServer, ofWorker] = await Promise.all([snapshotHeap(server), snapshotHeap(worker)]);
  heaps = { server: ofServer, worker: ofWorker };
  password = readFileSync(join(dataDir, 'postgres-password'), 'utf8').trim();
  await sql(embeddedUrl(dataDir), 'create table planted (word text)');
  await sql(embeddedUrl(dataDir), 'insert into planted values ($1)', [PLANTED]);
  dump = await dumpRows(embeddedUrl(dataDir));
  backup = await makeBackup(embeddedUrl(dataDir));
  needles = {
    numbers: numbers.flatMap((number, index) => numberNeedles(`number ${index}`, number)),
    cvvs: [textNeedle('CVV', JSON.stringify(SENT_CVV))],
    keys: [
      ...Object.entries(KEYS).map(([name, key]) => textNeedle(`${name} key`, key)),
      textNeedle('idempotency key', IDEMPOTENCY_KEY),
      textNeedle('operator password', OPERATOR_PASSWORD),
      ...shownOnce.map((text, index) => textNeedle(`shown once ${index}`, text)),
      textNeedle('master key', masterKey),
      { name: 'master key', bytes: Buffer.from(masterKey, 'base64') },
      textNeedle('database password', password),
      ...(await dataKeys()),
    ],
    person: Object.entries(PERSON).map(([name, text]) => textNeedle(name, text)),
  };
  expect(await worker.kill('SIGTERM')).toBe(0);
  expect(await server.kill('SIGTERM')).toBe(0);
  // The first start's summary shows a call that works, with the sandbox's key: that line is for the person at the terminal.
  log = server.stdout().replace(/^.*x-payments-api-key.*$/m, '') + server.stderr();
  workerLog = worker.stdout() + worker.stderr();
}, 240_000);
afterAll(async () => {
  receiver?.close();
  await otpReceiver?.close();
  await endAll();
});

const all = (): Needle[] => Object.values(needles).flat();
/** The CVV as a word of its own: four digits inside an id or a time are chance. */
const SENT = new RegExp(`(?<![\\w.+-])${SENT_CVV}(?![\\w-])`, 'g');

describe('the run', () => {
  test('calls every route of the document, and reveals old and new numbers', () => {
    const document = JSON.parse(answers.find((text) => text.startsWith('{"openapi"')) ?? '{}');
    const routes = Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{[^}]+\}/g, '{id}')}`),
    );
    expect(routes.length).toBeGreaterThan(24);
    expect(routes.filter((route) => !called.has(route))).toEqual([]);
    expect(new Set(numbers).size).toBe(3);
  });

  test('logs its requests and its failure', () => {
    expect(log.match(/"answered"/g)?.length).toBeGreaterThan(150);
    expect(log).toContain('"request failed"');
    expect(requestIds.filter((id) => !log.includes(id))).toEqual([]);
  });
});

describe('nothing secret is found', () => {
  test('in the logs at the level trace', () => {
    expect(find('log', log, all())).toEqual([]);
    expect(workerLog.split('\n').length).toBeGreaterThan(3);
    expect(find('log of the worker', workerLog, all())).toEqual([]);
  });

  test('in any response except credentials; and no cardholder data in an error', () => {
    const { person: _person, ...secret } = needles;
    expect(find('answers', ordinaryAnswers, Object.values(secret).flat())).toEqual([]);
    expect(find('errors', errors.join('\n'), all())).toEqual([]);
    expect(errors.length).toBeGreaterThan(50);
  });

  test('in anything that is sent to the merchant’s endpoint', () => {
    expect(delivered.length).toBeGreaterThan(20);
    expect(new Set(delivered.flatMap((text) => text.match(/"eventType":"\w+"/g) ?? [])).size).toBe(8);
    expect(find('webhooks', delivered.join('\n'), all())).toEqual([]);
  });

  const ofRequests = () => needles.keys.filter(({ name }) => /shown once|idempotency|operator/.test(name));

  test('in the memory of the server after the requests that contained it', () => {
    expect(heaps.server.length).toBeGreaterThan(10_000_000);
    expect(heaps.server.includes(server.url)).toBe(true);
    expect(findBytes('heap', heaps.server, [...needles.numbers, ...ofRequests()])).toEqual([]);
  });

  test('in the memory of the worker that sent the webhooks and generated the report; nor cardholder data', () => {
    expect(heaps.worker.length).toBeGreaterThan(10_000_000);
    expect(heaps.worker.includes(server.url)).toBe(true);
    const ofMerchants = needles.keys.filter(({ name }) => /merchant|network/.test(name));
    const sought = [...needles.numbers, ...ofRequests(), ...ofMerchants, ...needles.person];
    expect(findBytes('heap', heaps.worker, sought)).toEqual([]);
  });

  test('in a backup', () => {
    process.stdout.write(`the backup was made with ${backup.by}\n`);
    for (const table of ['transactions', 'vault_records', 'api_keys']) expect(backup.text).toContain(table);
    expect(find('backup', backup.text, all())).toEqual([]);
  });

  test('in any row of any table', () => {
    expect(dump.size).toBeGreaterThan(20);
    for (const table of ['transactions', 'network_messages', 'balance_adjustments', 'ledger_transfers'])
      expect(dump.get(table)?.split('\n').length).toBeGreaterThan(1);
    expect([...dump].flatMap(([table, rows]) => find(table, rows, all()))).toEqual([]);
  });

  test('in any file under DATA_DIR except the two key files', () => {
    expect(findInFiles(dataDir, all()).sort()).toEqual([
      'master-key: master key',
      'postgres-password: database password',
    ]);
    for (const name of ['master-key', 'postgres-password'])
      expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
  });

  test('of a CVV: no column, field or log line is named after it', () => {
    const rows = [...dump.values()].join('\n');
    for (const text of [log, rows, ordinaryAnswers.replace(/^\{"openapi".*$/m, '')])
      expect(text.match(/(?:cvv|cvc|security.?code)\W{0,4}\d{3}\b/gi) ?? []).toEqual([]);
    expect(cvvs.every((cvv) => /^\d{3}$/.test(cvv))).toBe(true);
  });

  test('of a CVV that was sent, correct in form and wrong in value', () => {
    expect(dump.get('transactions')).toContain('cvv_mismatch');
    for (const text of [log, [...dump.values()].join('\n'), answers.join('\n')])
      expect(text.match(SENT) ?? []).toEqual([]);
  });

  test('of a one-time password', () => {
    expect(otps.length).toBe(14);
    const word = new RegExp(`(?<![\\w.+-])(${otps.join('|')})(?![\\w-])`, 'g');
    const rows = [...dump.values()].join('\n');
    expect(rows).toContain('AUTHENTICATED');
    for (const text of [log, workerLog, rows, backup.text, answers.join('\n'), delivered.join('\n')])
      expect(text.match(word) ?? []).toEqual([]);
    // In bytes six digits are sometimes chance; a leak would bring all of them to light.
    const raw = otps.map((otp) => textNeedle(otp, otp));
    const found = new Set(findInFiles(dataDir, raw).map((line) => line.slice(-6)));
    expect(found.size).toBeLessThan(otps.length / 2);
    const quoted = otps.flatMap((otp) => [textNeedle('otp', `"${otp}"`), textNeedle('otp', `\\"${otp}\\"`)]);
    for (const heap of [heaps.server, heaps.worker]) expect(findBytes('heap', heap, quoted)).toEqual([]);
  });

  test('in the names of columns', () => {
    const schema = readFileSync(new URL('../../../migrations/schema.sql', import.meta.url), 'utf8');
    const columns = schema.match(/^ {2}\w+(?= )/gm)?.map((name) => name.trim()) ?? [];
    const sensitive = columns.filter((name) =>
      /cvv|cvc|pan$|card_number|number$|holder_name|phone|email|dob/.test(name),
    );
    // An address is an operator's or an invited person's, a digest of one keeps a count, and so do the wrong CVVs.
    // Whether a CVV was given says nothing of it.
    expect([...new Set(sensitive)].sort()).toEqual([
      'cvv_given',
      'cvv_key_id',
      'cvv_salt',
      'email',
      'email_digest',
      'wrong_cvvs',
    ]);
  });
});

describe('the scan detects leaks', () => {
  test('a number planted in a table is found in the rows, in a backup, in the data files and in the write-ahead log', () => {
    const planted = numberNeedles('planted', PLANTED);
    expect([...dump].flatMap(([table, rows]) => find(table, rows, planted))).toEqual(['planted: planted']);
    expect(find('backup', backup.text, planted)).toEqual(['backup: planted']);
    const paths = findInFiles(dataDir, planted).map((finding) =>
      finding.replace(/\d+: .*|[0-9A-F]{24}: .*/, ''),
    );
    expect(new Set(paths.map((path) => path.split('/').slice(0, 2).join('/')))).toEqual(
      new Set(['postgres/base', 'postgres/pg_wal']),
    );
  });

  test.each([
    ['plain', (number: string) => number],
    ['with spaces', (number: string) => number.replace(/(.{4})(?=.)/g, '$1 ')],
    ['with hyphens', (number: string) => number.replace(/(.{4})(?=.)/g, '$1-')],
    ['without its last four', (number: string) => `${number.slice(0, 12)}****`],
    ['in hex', (number: string) => Buffer.from(number).toString('hex')],
  ])('a number in a line is found: %s', (_form, write) => {
    const line = `{"msg":"card ${write(PLANTED)} x"}`;
    expect(find('line', line, numberNeedles('planted', PLANTED))).not.toEqual([]);
  });

  test.each([`{"cvv":"${SENT_CVV}"}`, `(net-2,${SENT_CVV},)`, `guess ${SENT_CVV}.`])(
    'a CVV in a line is found: %s',
    (line) => {
      expect(line.match(SENT)).toHaveLength(1);
    },
  );

  test('random digits are not reported', () => {
    expect(`01a1-${SENT_CVV}-8005 12:00:00.${SENT_CVV}`.match(SENT)).toBeNull();
    expect(findBytes('noise', randomBytes(1_000_000), numberNeedles('planted', PLANTED))).toEqual([]);
  });
});
