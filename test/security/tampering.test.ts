import { randomUUID } from 'node:crypto';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicIdOf, readPublicId } from '../../src/cards/reveal/public-id.ts';
import { credentialsOf } from '../support/cards/card-states.ts';
import { CARDS, consumerCard, createCard, shippingInformation } from '../support/cards/cards.ts';
import { openSession, spendSession } from '../support/cards/reveal.ts';
import { SESSION, type SignedIn, signInAs } from '../support/console/operators.ts';
import { memoryLog } from '../support/server/memory-log.ts';
import { type Answer, appForTests } from '../support/server/test-app.ts';
import { type Receiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { ENDPOINTS } from '../support/webhooks/webhooks.ts';

/**
 * An attacker with write access to the database flips bits and copies sealed values between rows. A request is then refused, or
 * fails with an error; it never returns the value of another row.
 */
const log = memoryLog('trace');
const app = appForTests({ logger: log.logger });
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

interface Victim {
  table: string;
  /** The columns that are sealed or bound. */
  column: string;
  /** How to find the row, and another of the same kind to swap with. */
  own: string;
  other: string;
  send: () => Promise<Answer>;
  /** What an answer must never hold once the row was tampered with. */
  secrets: string[];
}

/** Statuses that refuse. */
const REFUSED = [401, 404, 409, 500];

/** Writes one value after the other, sends the request each time, and restores the old value. */
async function withValues(victim: Victim, values: Buffer[], act: () => Promise<void>): Promise<void> {
  const { table, own, column } = victim;
  const kept = await bytesOf(victim, own);
  const put = (bytes: Buffer) =>
    app.db.query({ text: `update ${table} set ${column} = $1 where ${own}` }, [bytes]);
  try {
    for (const value of values) {
      await put(value);
      await act();
    }
  } finally {
    await put(kept);
  }
}

async function bytesOf({ table, column }: Victim, where: string): Promise<Buffer> {
  const text = `select ${column} as bytes from ${table} where ${where}`;
  const rows = await app.db.query<{ bytes: Buffer }>({ text });
  expect(rows).toHaveLength(1);
  return (rows[0] as { bytes: Buffer }).bytes;
}

/** Every byte with one bit the other way round, each time another; and cut, lengthened and emptied. */
function flips(bytes: Buffer): Buffer[] {
  const flipped = [...bytes.keys()].map((index) => {
    const copy = Buffer.from(bytes);
    copy[index] = (copy[index] as number) ^ (1 << (index % 8));
    return copy;
  });
  return [...flipped, bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.alloc(1)]), Buffer.alloc(0)];
}

const tampered = async (victim: Victim): Promise<Buffer[]> => [
  ...flips(await bytesOf(victim, victim.own)),
  await bytesOf(victim, victim.other),
];

async function expectRefusal(victim: Victim): Promise<void> {
  log.text = '';
  const answer = await victim.send();
  const text = JSON.stringify(answer.body);
  expect([victim.table, answer.status, REFUSED.includes(answer.status)]).toEqual([
    victim.table,
    answer.status,
    true,
  ]);
  expect(Object.keys(answer.body)).toEqual(['code', 'message', 'status']);
  if (answer.status === 500)
    expect(answer.body.message).toBe(`Internal error (request ${answer.headers.get('x-request-id')})`);
  // The log says what is wrong, under the request id that the caller can quote.
  expect(log.text).toMatch(/altered|does not exist|too short|request failed/);
  expect(victim.secrets.filter((secret) => text.includes(secret) || log.text.includes(secret))).toEqual([]);
}

const record = (kind: string, owner: string): string => `kind = '${kind}' and owner_id = '${owner}'`;
const ofCard = (id: string, kind: string, path: string): Omit<Victim, 'other' | 'secrets'> => ({
  table: 'vault_records',
  column: 'sealed',
  own: record(kind, id),
  send: () => app.call('GET', path),
});

async function cardVictim(kind: string, path: (id: string) => string): Promise<Victim> {
  const [card, other] = [await createCard(app), await createCard(app)];
  const numbers = await Promise.all([card, other].map(({ id }) => credentialsOf(app, id)));
  return {
    ...ofCard(card.id, kind, path(card.id)),
    other: record(kind, other.id),
    secrets: ['Lovelace', 'customer-42', ...numbers.map(({ cardNumber }) => cardNumber)],
  };
}

async function applicantVictim(): Promise<Victim> {
  const register = async (kycApplicantId: string, lastName: string) => {
    const kyc = { firstName: 'Ada', lastName, dob: '1990-12-10', country: 'GBR' };
    const body = { kycApplicantId, customerType: 'Consumer', kyc };
    expect((await app.call('POST', '/api/v1/sandbox/kyc-applicants/', { body })).status).toBe(201);
  };
  await register('tampered-1', 'Lovelace');
  await register('tampered-2', 'Byron');
  const at = (id: string) =>
    `kind = 'kyc-applicant' and id = (select record_id from sandbox_kyc_applicants where applicant_id = '${id}')`;
  return {
    ...{ table: 'vault_records', column: 'sealed', own: at('tampered-1'), other: at('tampered-2') },
    send: () => app.call('POST', CARDS, { body: consumerCard({ kycApplicantId: 'tampered-1' }) }),
    secrets: ['Byron', 'Lovelace'],
  };
}

async function webhookVictim(): Promise<Victim> {
  const add = async () => (await app.call('POST', ENDPOINTS, { body: { url: receiver.url } })).body;
  const [one, two] = [await add(), await add()];
  const at = (id: string) =>
    `kind = 'signing-secret' and id = (select secret_id from webhook_endpoints where id = '${id}')`;
  return {
    ...{ table: 'vault_records', column: 'sealed', own: at(one.id), other: at(two.id) },
    send: () => app.call('POST', `${ENDPOINTS}${one.id}/test/`),
    secrets: [one.secret, two.secret],
  };
}

async function idempotencyVictim(): Promise<Victim> {
  const made: Buffer[] = [];
  const create = (key: string, name: string) =>
    app.call('POST', CARDS, {
      body: consumerCard({ preferredCardName: name }),
      headers: { 'idempotency-key': key },
    });
  for (const [key, name] of [
    ['tampered 1', 'FIRST'],
    ['tampered 2', 'SECOND'],
  ] as const) {
    expect((await create(key, name)).status).toBe(201);
    const [row] = await app.sql<{ digest: Buffer }>(
      'select key_digest as digest from idempotency_records order by created_at desc limit 1',
    );
    made.push((row as { digest: Buffer }).digest);
  }
  const at = (digest: Buffer | undefined) => `key_digest = '\\x${digest?.toString('hex')}'`;
  return {
    ...{ table: 'idempotency_records', column: 'answer', own: at(made[0]), other: at(made[1]) },
    send: () => create('tampered 1', 'FIRST'),
    secrets: ['SECOND'],
  };
}

async function keyVictim(): Promise<Victim> {
  const one = await app.addKey(app.program.id, ['read']);
  const two = await app.addKey(app.program.id, ['read', 'credentials']);
  return {
    ...{ table: 'api_keys', column: 'rights_seal', own: `id = '${one.id}'`, other: `id = '${two.id}'` },
    send: () => app.call('GET', CARDS, { key: one.key }),
    secrets: [one.key, two.key],
  };
}

async function operatorVictim(send: (person: SignedIn) => Promise<Answer>): Promise<Victim> {
  const [one, two] = [await signInAs(app, 'viewer'), await signInAs(app, 'admin')];
  return {
    ...{ table: 'operators', column: 'rights_seal', own: `id = '${one.id}'`, other: `id = '${two.id}'` },
    send: () => send(one),
    secrets: [one.email, two.email],
  };
}

/** The code of an authenticator app, as if none had been used before, and no attempt had been refused. */
async function secondFactorVictim(): Promise<Victim> {
  const enrol = async () => {
    const person = await signInAs(app, 'admin');
    const headers = { cookie: person.cookie, 'x-csrf-token': person.csrfToken };
    const at = (method: string, body: unknown) =>
      app.call(method, `${SESSION}second-factor/`, { key: null, body, headers });
    const { enrolment, secret } = (await at('POST', { password: person.password })).body;
    expect((await at('PUT', { enrolment, code: new TOTP({ secret }).generate() })).status).toBe(200);
    return { ...person, secret };
  };
  const [one, two] = [await enrol(), await enrol()];
  const at = (id: string) =>
    `kind = 'operator-second-factor' and id = (select second_factor_id from operators where id = '${id}')`;
  return {
    ...{ table: 'vault_records', column: 'sealed', own: at(one.id), other: at(two.id) },
    send: async () => {
      await app.db.query({ text: 'delete from sign_in_attempts' });
      await app.db.query({ text: 'update operators set second_factor_step = 0' });
      const { email, password, secret } = one;
      const body = { email, password, code: new TOTP({ secret }).generate() };
      return app.call('POST', SESSION, { key: null, body });
    },
    secrets: [one.secret, two.secret],
  };
}

const lookAround = ({ cookie }: SignedIn) => app.call('GET', SESSION, { key: null, headers: { cookie } });

const VICTIMS: Record<string, () => Promise<Victim>> = {
  'a card number': () => cardVictim('number', (id) => `${CARDS}${id}/credentials/`),
  'a cardholder’s name, on the card': () => cardVictim('holder', (id) => `${CARDS}${id}/`),
  'a cardholder’s name, in the list': () => cardVictim('holder', () => CARDS),
  'KYC data': () => cardVictim('application', (id) => `${CARDS}${id}/`),
  'what is known of an applicant': applicantVictim,
  'a webhook secret': webhookVictim,
  'an answer kept for idempotency': idempotencyVictim,
  'the rights of a key': keyVictim,
  'the rights of an operator, in a session': () => operatorVictim(lookAround),
  'the second factor of an operator': secondFactorVictim,
};

describe('an altered sealed row', () => {
  test.each(Object.keys(VICTIMS))(
    'is detected: flipped in any part, cut, lengthened, emptied or copied from another: %s',
    async (what) => {
      const victim = await (VICTIMS[what] as () => Promise<Victim>)();
      expect((await victim.send()).status).toBeLessThan(300);
      await withValues(victim, await tampered(victim), () => expectRefusal(victim));
      expect((await victim.send()).status).toBeLessThan(300);
    },
  );

  test.each([
    ['for another card', `card_id = '{other}'`],
    [
      'for another credential',
      `credential_id = (select credential_id from cards where program_id = $1 and id = '{other}')`,
    ],
    ['with another challenge', `challenge = sha256('mine')`],
    ['with a longer life', `expires_at = now() + interval '1 day'`],
    ['with more fields', `fields = '{number,expiry,cvv}'`],
    ['under another id', `id = '{forged}'`],
    ['of another key', `created_by = 'key:none'`],
  ])('reveals nothing: a reveal session %s', async (_what, change) => {
    const [card, other] = [await createCard(app), await createCard(app)];
    const session = await openSession(app, card.id, { fields: ['expiry'] });
    const { programId, id, origin } = readPublicId(session.id);
    const forged = randomUUID();
    const set = change.replace('{other}', other.id).replace('{forged}', forged);
    await app.sql(`update reveal_sessions set ${set} where program_id = $1 and id = $2`, [programId, id]);
    const publicId = publicIdOf({ programId, id: change.includes('{forged}') ? forged : id, origin });
    const verifier = change.includes('mine') ? 'mine' : session.verifier;
    log.text = '';
    expect((await spendSession(app, { id: publicId, verifier })).status).toBe(404);
    expect(log.text).toMatch(/the row of reveal session \S+ was altered/);
  });

  test('is detected also if no response shows it: a shipment', async () => {
    const ship = async (recipientLastName: string) => {
      const { id } = await createCard(app, { cardType: 'physical' });
      const shipping = shippingInformation({ recipientLastName });
      const body = { shippingInformation: shipping };
      expect((await app.call('PUT', `${CARDS}${id}/replace/`, { body })).status).toBe(200);
      return id;
    };
    const [one, two] = [await ship('Lovelace'), await ship('Byron')];
    const open = () => app.vault.openRecords(app.db, app.program.id, 'shipment', [one]);
    const victim = { ...ofCard(one, 'shipment', ''), other: record('shipment', two), secrets: [] };
    const known = await open();
    expect(known.get(one)).toMatchObject({ recipientLastName: 'Lovelace' });
    await withValues(victim, await tampered(victim), () =>
      expect(open()).rejects.toThrow(/altered or moved|does not exist|too short/),
    );
    expect(await open()).toEqual(known);
  });

  test('never leads to a delivery signed with another endpoint’s secret', async () => {
    const victim = await webhookVictim();
    const before = receiver.received.length;
    await withValues(victim, [await bytesOf(victim, victim.other)], () => expectRefusal(victim));
    expect(receiver.received.length).toBe(before);
  });
});

describe('columns that grant permissions', () => {
  test.each([
    ['program_id', 'null'],
    ['email', "'another@example.com'"],
    ['must_change_password', 'true'],
    ['second_factor_id', 'gen_random_uuid()'],
    ['password', '(select password from operators order by id desc limit 1 offset 1)'],
  ])('of an operator: %s', async (column, value) => {
    const person = await signInAs(app, 'viewer', app.program.id);
    const look = () => app.call('GET', SESSION, { key: null, headers: { cookie: person.cookie } });
    expect((await look()).status).toBe(200);
    await app.sql(`update operators set ${column} = ${value} where id = $1`, [person.id]);
    expect((await look()).status).toBe(401);
  });

  test('of an operator: with the seal of another row the sign-in is refused', async () => {
    const { own, other } = await operatorVictim(lookAround);
    const person = await signInAs(app, 'support');
    const seal = `(select rights_seal from operators where ${other})`;
    await app.sql(`update operators set rights_seal = ${seal} where id = $1 or ${own}`, [person.id]);
    const { email, password } = person;
    expect((await app.call('POST', SESSION, { key: null, body: { email, password } })).status).toBe(401);
  });

  test('of a credential: with the number of another card it is not revealed', async () => {
    const [one, two] = [await createCard(app), await createCard(app)];
    await app.sql(
      `update credentials set number_id = (select number_id from credentials where program_id = $1 and card_id = $3)
       where program_id = $1 and card_id = $2`,
      [app.program.id, one.id, two.id],
    );
    expect((await app.call('GET', `${CARDS}${one.id}/credentials/`)).status).toBe(500);
  });
});

describe('swapped fingerprints', () => {
  const pay = async (number: string, expiry: string, id: string) =>
    app.call('POST', '/api/v1/network/authorizations/', {
      key: null,
      networkKey: app.networkKey,
      body: {
        ...{
          external_transaction_id: id,
          card_number: number,
          expiry,
          amount: '5.00',
          currency: 'EUR',
          channel: 'POS',
        },
        merchant: { id: 'm', name: 'Shop', mcc: '5411', city: 'London', country: 'GB' },
      },
    });

  test('never charge a purchase to another card', async () => {
    const [one, two] = [await createCard(app), await createCard(app)];
    const { cardNumber, expiryDate } = await credentialsOf(app, one.id);
    interface Row {
      fingerprint: Buffer;
      program_id: string;
      card_id: string;
      number_id: string;
      seal: Buffer;
    }
    const rows = await app.sql<Row>('select * from card_fingerprints where card_id = any ($1)', [
      [one.id, two.id],
    ]);
    const put = ({ fingerprint }: Row, { card_id, number_id }: Row, { seal }: Row) =>
      app.sql('update card_fingerprints set card_id = $2, number_id = $3, seal = $4 where fingerprint = $1', [
        fingerprint,
        card_id,
        number_id,
        seal,
      ]);
    const [first, second] = rows as [Row, Row];
    const expectRefused = async () => {
      const answer = await pay(cardNumber, expiryDate.slice(0, 7), 'swapped-1');
      expect(answer.status).toBe(500);
      expect(answer.body.message).toBe(`Internal error (request ${answer.headers.get('x-request-id')})`);
    };
    for (const seals of [rows, rows.toReversed()] as Array<[Row, Row]>) {
      await put(first, second, seals[0]);
      await put(second, first, seals[1]);
      await expectRefused();
    }
    await put(first, first, first);
    const move = (programId: string | undefined) =>
      app.sql('update card_fingerprints set program_id = $2 where fingerprint = $1', [
        first.fingerprint,
        programId,
      ]);
    await move(randomUUID());
    await expectRefused();
    await move(first.program_id);
    for (const { id } of [one, two])
      expect((await app.call('GET', `${CARDS}${id}/`)).body.availableCredit).toBe(250);
    await put(second, second, second);
    expect((await pay(cardNumber, expiryDate.slice(0, 7), 'swapped-2')).body.approved).toBe(true);
    expect((await app.call('GET', `${CARDS}${one.id}/`)).body.availableCredit).toBe(245);
  });
});
