import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secret } from '../../../src/kernel/secret.ts';
import { createSumsubProvider } from '../../../src/kyc/sumsub-provider.ts';
import { businessCard, CARDS, consumerCard, rowsWritten, withValue } from '../../support/cards/cards.ts';
import { type Answer, startTestApp, type TestApp } from '../../support/server/test-app.ts';

const APPLICANTS = '/api/v1/sandbox/kyc-applicants/';

/** Speaks the provider's protocol; each test says what it answers. */
const sumsub = {
  requests: 0,
  answer: { status: 200, body: {} as object },
  server: createServer((_request, response) => {
    sumsub.requests += 1;
    response.writeHead(sumsub.answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(sumsub.answer.body));
  }),
};

let app: TestApp;
beforeAll(async () => {
  await new Promise<void>((resolve) => sumsub.server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(sumsub.server.address() as AddressInfo).port}`;
  const settings = { appToken: secret('token'), secretKey: secret('secret'), timeoutMs: 2_000, attempts: 1 };
  app = await startTestApp({ sumsub: createSumsubProvider({ baseUrl, ...settings }) });
});
afterAll(async () => {
  await app.close();
  sumsub.server.closeAllConnections();
  sumsub.server.close();
});

const create = (body: unknown, key = app.key): Promise<Answer> => app.call('POST', CARDS, { body, key });

function expectRefusal(answer: Answer, message: string): void {
  expect(answer.body).toEqual({ code: 400, message, status: 'failed' });
  expect(answer.status).toBe(400);
}

describe('KYC in the sandbox', () => {
  let before: unknown;
  beforeAll(async () => {
    before = await rowsWritten(app);
  });

  test.each([
    ['not-found', 'kycApplicantId: the KYC provider has no such applicant'],
    ['not-found-7', 'kycApplicantId: the KYC provider has no such applicant'],
    ['pending-7', 'kycApplicantId: the applicant is not approved (pending)'],
    ['rejected-7', 'kycApplicantId: the applicant is not approved (rejected)'],
    ['mismatch-7', "kyc.lastName: differs from the KYC provider's record"],
  ])('%s: no card', async (kycApplicantId, message) => {
    expectRefusal(await create(consumerCard({ kycApplicantId })), message);
  });
  test('mismatch of a business: no card', async () => {
    const answer = await create(businessCard({ kycApplicantId: 'mismatch' }));
    expectRefusal(answer, "kyc.fullName: differs from the KYC provider's record");
  });
  test('timeout: a 500 that says so, and no card', async () => {
    const answer = await create(consumerCard({ kycApplicantId: 'timeout-7' }));
    const sentence = 'The KYC provider did not respond in time; no card was created';
    const message = `${sentence} (request ${answer.headers.get('x-request-id')})`;
    expect(answer.body).toEqual({ code: 500, message, status: 'failed' });
    expect(answer.status).toBe(500);
  });
  test('nothing is written', async () => {
    expect(await rowsWritten(app)).toEqual(before);
  });
  test('the prefixes apply only at the beginning of the id', async () => {
    for (const kycApplicantId of ['PENDING-7', 'a-pending', ' rejected'])
      expect((await create(consumerCard({ kycApplicantId }))).status).toBe(201);
  });
});

describe('KYC of a registered applicant', () => {
  const differs = "differs from the KYC provider's record";
  const register = async (body: object) => {
    const answer = await app.call('POST', APPLICANTS, { body });
    expect(answer.status).toBe(201);
  };
  beforeAll(async () => {
    const { kyc, customerType } = consumerCard();
    const names = { ...kyc, firstName: 'Zoë Ann', lastName: 'Núñez' };
    await register({ kycApplicantId: 'rejected-but-registered', customerType, kyc: names });
    const company = businessCard();
    await register({ kycApplicantId: 'company', customerType: 'Business', kyc: company.kyc });
    await register({ kycApplicantId: 'slow', customerType, kyc, review: 'pending' });
    await register({ kycApplicantId: 'refused', customerType, kyc, review: 'rejected' });
  });
  const person = (changes: Record<string, unknown> = {}) => {
    let body: object = consumerCard({ kycApplicantId: 'rejected-but-registered' });
    const all = { 'kyc.firstName': 'Zoë Ann', 'kyc.lastName': 'Núñez', ...changes };
    for (const [path, value] of Object.entries(all)) body = withValue(body, path, value);
    return body;
  };

  test.each([
    ['as registered', {}],
    ['in another case', { 'kyc.firstName': 'zoë ANN', 'kyc.lastName': 'NÚÑEZ' }],
    ['without accents', { 'kyc.firstName': 'Zoe Ann', 'kyc.lastName': 'Nunez' }],
    ['with accents written apart', { 'kyc.firstName': 'Zoe\u0308 Ann', 'kyc.lastName': 'Nu\u0301n\u0303ez' }],
    ['with more spaces', { 'kyc.firstName': '  Zoë   Ann ' }],
    ['with another street', { 'kyc.residentialAddress.line1': 'Elsewhere 1' }],
  ])('a person %s gets a card', async (_, changes) => {
    expect((await create(person(changes))).status).toBe(201);
  });

  test.each([
    ['kyc.firstName', 'Zoë'],
    ['kyc.lastName', 'Núñez Vega'],
    ['kyc.dob', '1990-12-11'],
    ['kyc.residentialAddress.country', 'FRA'],
  ])('a different %s: the error names the field, without a value', async (field, value) => {
    const before = await rowsWritten(app);
    expectRefusal(await create(person({ [field]: value })), `${field}: ${differs}`);
    expect(await rowsWritten(app)).toEqual(before);
  });

  test.each([
    ['kyc.fullName', 'Difference Engines Ltd'],
    ['kyc.businessRegistrationNumber', '01234568'],
    ['kyc.businessOperationAddress.country', 'FRA'],
  ])('a business with a different %s: the error names the field', async (field, value) => {
    const body = businessCard({ kycApplicantId: 'company' });
    expect((await create(body)).status).toBe(201);
    expectRefusal(await create(withValue(body, field, value)), `${field}: ${differs}`);
  });

  test('a person with the applicant id of a business', async () => {
    expectRefusal(await create(consumerCard({ kycApplicantId: 'company' })), `customerType: ${differs}`);
  });

  test.each([
    ['slow', 'pending'],
    ['refused', 'rejected'],
  ])('%s: is not approved (%s)', async (kycApplicantId, review) => {
    const message = `kycApplicantId: the applicant is not approved (${review})`;
    expectRefusal(await create(consumerCard({ kycApplicantId })), message);
  });

  test('registering again replaces the applicant', async () => {
    const { kyc, customerType } = consumerCard();
    await register({ kycApplicantId: 'slow', customerType, kyc });
    expect((await create(consumerCard({ kycApplicantId: 'slow' }))).status).toBe(201);
  });

  test('an applicant of one program is unknown to another', async () => {
    const other = await app.addProgram();
    expect((await create(consumerCard({ kycApplicantId: 'refused' }), other.key)).status).toBe(201);
  });
});

describe('KYC at Sumsub', () => {
  const ID = '652d5f45fa563798cee64d3e';
  const record = {
    id: ID,
    type: 'individual',
    info: { firstName: 'Ada', lastName: 'Lovelace', dob: '1990-12-10', country: 'GBR' },
    review: { reviewStatus: 'completed', reviewResult: { reviewAnswer: 'GREEN' } },
  };
  let key: string;
  beforeAll(async () => {
    key = (await app.addProgram({ kycProvider: 'sumsub' })).key;
  });
  const createWith = async (answer: typeof sumsub.answer, changes: object = {}) => {
    sumsub.answer = answer;
    sumsub.requests = 0;
    return create(consumerCard({ kycApplicantId: ID, ...changes }), key);
  };

  test('approved: a card is created, with one request to the provider', async () => {
    expect((await createWith({ status: 200, body: record })).status).toBe(201);
    expect(sumsub.requests).toBe(1);
  });

  test('an invalid request never reaches the provider', async () => {
    const answer = await createWith({ status: 200, body: record }, { expiryDate: '2020-01-01' });
    expectRefusal(answer, 'expiryDate: must be at least one month from today');
    expect(sumsub.requests).toBe(0);
  });

  test.each([
    [
      'unknown there',
      { status: 404, body: { code: 404, description: 'Applicant not found' } },
      'kycApplicantId: the KYC provider has no such applicant',
    ],
    [
      'not reviewed yet',
      { status: 200, body: { ...record, review: { reviewStatus: 'pending' } } },
      'kycApplicantId: the applicant is not approved (pending)',
    ],
    [
      'another person',
      { status: 200, body: { ...record, info: { ...record.info, lastName: 'Byron' } } },
      "kyc.lastName: differs from the KYC provider's record",
    ],
  ])('%s: no card', async (_, answer, message) => {
    const before = await rowsWritten(app);
    expectRefusal(await createWith(answer), message);
    expect(await rowsWritten(app)).toEqual(before);
  });

  test.each([
    ['down', { status: 503, body: {} }, 'The KYC provider cannot be reached'],
    ['not our key', { status: 401, body: {} }, 'The KYC provider rejected our credentials'],
    ['nonsense', { status: 200, body: { id: ID } }, 'The KYC provider returned an invalid response'],
  ])('%s: a 500 that says so, and no card', async (_, given, sentence) => {
    const before = await rowsWritten(app);
    const answer = await createWith(given);
    const message = `${sentence}; no card was created (request ${answer.headers.get('x-request-id')})`;
    expect(answer.body).toEqual({ code: 500, message, status: 'failed' });
    expect(answer.status).toBe(500);
    expect(await rowsWritten(app)).toEqual(before);
  });

  test('concurrent requests with one Idempotency-Key query it once', async () => {
    sumsub.answer = { status: 200, body: record };
    sumsub.requests = 0;
    const body = consumerCard({ kycApplicantId: ID });
    const headers = { 'idempotency-key': 'queried-once' };
    const copies = Array.from({ length: 20 }, () => app.call('POST', CARDS, { body, key, headers }));
    const ids = (await Promise.all(copies)).map((answer) => answer.body.id);
    expect(new Set(ids).size).toBe(1);
    expect(sumsub.requests).toBe(1);
  });

  test('a program whose provider is not configured: a 500 that says so, and no card', async () => {
    const other = await startTestApp();
    try {
      const { key: unconfigured } = await other.addProgram({ kycProvider: 'sumsub' });
      const before = await rowsWritten(other);
      const answer = await other.call('POST', CARDS, { body: consumerCard(), key: unconfigured });
      expect(answer.body.message).toContain('The KYC provider is not configured; no card was created');
      expect(answer.status).toBe(500);
      expect(await rowsWritten(other)).toEqual(before);
    } finally {
      await other.close();
    }
  });
});
