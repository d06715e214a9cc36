import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EmbossError } from '../kernel/error.ts';
import { secret } from '../kernel/secret.ts';
import type { KycApplicant, SubmittedKyc } from './kyc.ts';
import { createSumsubProvider } from './sumsub-provider.ts';

const APP_TOKEN = 'sbx:token.of-the-test';
const SECRET_KEY = 'key-of-the-test';
const ID = '652d5f45fa563798cee64d3e';
const PATH = `/resources/applicants/${ID}/one`;

const submitted: SubmittedKyc = {
  customerType: 'Consumer',
  firstName: 'Ada',
  lastName: 'Lovelace',
  dob: '1990-12-10',
  country: 'GBR',
};
const GREEN = { reviewStatus: 'completed', reviewResult: { reviewAnswer: 'GREEN' } };
const record = {
  id: ID,
  inspectionId: '652d5f45fa563798cee64d3f',
  type: 'individual',
  info: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    dob: '1990-12-10',
    country: 'ITA',
    addresses: [{ country: 'GBR', town: 'London' }],
  },
  review: { reviewId: 'x', attemptCnt: 1, ...GREEN },
};
const applicant: KycApplicant = {
  review: 'approved',
  customerType: 'Consumer',
  firstName: 'Ada',
  lastName: 'Lovelace',
  dob: '1990-12-10',
  country: 'GBR',
  fullName: null,
  businessRegistrationNumber: null,
};

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const send =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const sumsubError = (code: number): Answer =>
  send(code, { code, correlationId: 'req-5fd59b09', description: `No luck with ${APP_TOKEN}` });

/** Answers in order; the last one is repeated. */
let script: Answer[] = [];
let arrivals: { path: string; atMs: number }[] = [];

/** Sumsub's own check, written from its documentation and not from our code. */
function signatureIsRight(request: IncomingMessage): boolean {
  const { 'x-app-token': token, 'x-app-access-ts': ts, 'x-app-access-sig': sig } = request.headers;
  const expected = createHmac('sha256', SECRET_KEY)
    .update(`${ts}${request.method}${request.url}`)
    .digest('hex');
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(ts));
  return token === APP_TOKEN && sig === expected && ageSeconds < 60 && /^\d{10}$/.test(String(ts));
}

const server = createServer((request, response) => {
  arrivals.push({ path: request.url ?? '', atMs: performance.now() });
  if (!signatureIsRight(request)) return sumsubError(401)(request, response);
  const answer = script.length > 1 ? script.shift() : script[0];
  answer?.(request, response);
});
let baseUrl = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  script = [];
  arrivals = [];
});

interface Options {
  timeoutMs?: number;
  attempts?: number;
  secretKey?: string;
  url?: string;
  id?: string;
  submitted?: SubmittedKyc;
}
function find(answers: Answer[], options: Options = {}): Promise<KycApplicant | null> {
  script = answers;
  const provider = createSumsubProvider({
    baseUrl: options.url ?? baseUrl,
    appToken: secret(APP_TOKEN),
    secretKey: secret(options.secretKey ?? SECRET_KEY),
    timeoutMs: options.timeoutMs ?? 5_000,
    attempts: options.attempts ?? 3,
  });
  return provider.findApplicant(options.id ?? ID, options.submitted ?? submitted, 'program-1');
}

/** The public sentence of a 500; neither it nor its cause may hold a key or a person. */
async function failure(answers: Answer[], options: Options = {}): Promise<string> {
  const error = (await find(answers, options).then(
    (found) => expect.unreachable(`answered ${inspect(found)}`),
    (reason: unknown) => reason,
  )) as EmbossError;
  expect(error.httpStatus).toBe(500);
  expect(error.cause).toBeInstanceOf(Error);
  expect(inspect(error, { depth: 9 })).not.toMatch(/token\.of-the-test|key-of-the-test|Lovelace/);
  return error.message;
}

const TOO_SLOW = 'The KYC provider did not respond in time; no card was created';
const DOWN = 'The KYC provider cannot be reached; no card was created';
const UNUSABLE = 'The KYC provider returned an invalid response; no card was created';
const REFUSED = 'The KYC provider rejected our credentials; no card was created';

describe('Sumsub, working', () => {
  it('gets one request, with a valid signature', async () => {
    expect(await find([send(200, record)])).toEqual(applicant);
    expect(arrivals.map(({ path }) => path)).toEqual([PATH]);
  });

  it.each([
    ['init', undefined, 'pending'],
    ['onHold', 'GREEN', 'pending'],
    ['a-new-status', 'GREEN', 'pending'],
    ['completed', 'GREEN', 'approved'],
    ['completed', 'RED', 'rejected'],
  ])('review %s with answer %s is %s', async (reviewStatus, reviewAnswer, review) => {
    const reviewResult = reviewAnswer === undefined ? undefined : { reviewAnswer, reviewRejectType: 'RETRY' };
    const found = await find([send(200, { ...record, review: { reviewStatus, reviewResult } })]);
    expect(found?.review).toBe(review);
  });

  it('a company’s document data is preferred to its entered data', async () => {
    const companyInfo = { companyName: 'Engines Ltd', country: 'IRL', address: { country: 'GBR' } };
    const fixedInfo = { companyInfo: { companyName: 'Other', registrationNumber: '12345678' } };
    const company = { ...record, type: 'company', info: { companyInfo }, fixedInfo };
    const none = { firstName: null, lastName: null, dob: null };
    const business = { fullName: 'Engines Ltd', businessRegistrationNumber: '12345678', country: 'GBR' };
    const expected = { ...applicant, ...none, ...business, customerType: 'Business' };
    expect(await find([send(200, company)])).toEqual(expected);
  });

  it('fields that the record does not have are null', async () => {
    const found = await find([send(200, { id: ID, review: GREEN, info: null })]);
    expect(Object.values({ ...found, review: null }).every((value) => value === null)).toBe(true);
  });

  it('document data is preferred, and an address is preferred to the document’s country', async () => {
    const fixedInfo = {
      ...record.info,
      lastName: 'Submitted',
      dob: '1991-01-01',
      addresses: [{ country: 'FRA' }],
    };
    expect(await find([send(200, { ...record, fixedInfo })])).toEqual(applicant);
    const fixed = await find([send(200, { ...record, info: {}, fixedInfo })]);
    expect(fixed).toMatchObject({ lastName: 'Submitted', dob: '1991-01-01', country: 'FRA' });
    const noAddress = await find([send(200, { ...record, info: { ...record.info, addresses: [] } })]);
    expect(noAddress?.country).toBe('ITA');
  });

  it('returns the Latin spelling if the request uses it', async () => {
    const info = { ...record.info, lastName: 'Иванов', lastNameEn: 'Ivanov' };
    const options = { submitted: { ...submitted, lastName: 'IVANOV' } };
    expect((await find([send(200, { ...record, info })], options))?.lastName).toBe('Ivanov');
    expect((await find([send(200, { ...record, info })]))?.lastName).toBe('Иванов');
  });

  it('returns no applicant for a 404 and for a deactivated profile', async () => {
    expect(await find([sumsubError(404)])).toBeNull();
    expect(await find([send(200, { ...record, deleted: true })])).toBeNull();
  });

  it.each(['', '../../x', '-;externalUserId=1', 'a b', 'é', 'a/b', 'a?b', 'a'.repeat(65)])(
    'gets no request for the id %j',
    async (id) => {
      expect(await find([send(200, { ...record, id })], { id })).toBeNull();
      expect(arrivals).toEqual([]);
    },
  );
});

describe('Sumsub, slow', () => {
  const never: Answer = () => {};
  const drip: Answer = (_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(timer));
  };
  it.each([
    ['never answers', 250, [never]],
    ['drips bytes', 250, [drip]],
    ['fails once and then never answers', 1_000, [sumsubError(500), never]],
  ])('and %s: ends at the time limit', async (_how, timeoutMs, answers) => {
    expect(await failure(answers, { timeoutMs })).toBe(TOO_SLOW);
  });
});

describe('Sumsub, failing', () => {
  const cut: Answer = (request) => void request.socket.destroy();
  const cutInside: Answer = (request, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"id":', () => request.socket.destroy());
  };

  it.each([
    ['a cut connection', [cut]],
    ['an answer cut in the middle', [cutInside]],
    ['429', [sumsubError(429)]],
    ['500 twice', [sumsubError(500), sumsubError(503)]],
  ])('the request is repeated after %s', async (_what, answers) => {
    expect(await find([...answers, send(200, record)])).toEqual(applicant);
    expect(arrivals).toHaveLength(answers.length + 1);
  });

  it.each([
    ['500 forever', sumsubError(500)],
    ['429 forever', sumsubError(429)],
    ['cut connections forever', cut],
  ])('the number of attempts is limited: %s', async (_what, answer) => {
    expect(await failure([answer], { attempts: 2 })).toBe(DOWN);
    expect(arrivals).toHaveLength(2);
  });

  it('a refused connection is reported as down', async () => {
    expect(await failure([], { url: 'http://127.0.0.1:1', attempts: 1 })).toBe(DOWN);
  });

  it('a requested pause is respected', async () => {
    expect(await find([send(429, '', { 'retry-after': '1' }), send(200, record)])).toEqual(applicant);
    expect((arrivals[1]?.atMs ?? 0) - (arrivals[0]?.atMs ?? 0)).toBeGreaterThan(950);
  });

  it('fails immediately if the requested pause exceeds the time limit', async () => {
    const later = new Date(Date.now() + 3_600_000).toUTCString();
    for (const wanted of ['3600', later]) {
      arrivals = [];
      expect(await failure([send(503, '', { 'retry-after': wanted }), send(200, record)])).toBe(DOWN);
      expect(arrivals).toHaveLength(1);
    }
  });
});

describe('Sumsub, with invalid responses', () => {
  const { review: _review, ...noReview } = record;
  const latin1 = Buffer.from(JSON.stringify({ ...record, info: { firstName: 'Adé' } }), 'latin1');
  const withInfo = (change: object) => send(200, { ...record, info: { ...record.info, ...change } });

  it.each<[string, Answer]>([
    ['bad JSON', send(200, '{"id": "Lovelace')],
    ['HTML', send(200, '<html>Lovelace</html>', { 'content-type': 'text/html' })],
    ['no body', send(200, '')],
    ['null', send(200, 'null')],
    ['bytes that are not UTF-8', (_request, response) => void response.end(latin1)],
    ['a huge body', send(200, { ...record, more: 'x'.repeat(256 * 1024) })],
    ['the record of another applicant', send(200, { ...record, id: '000000000000000000000000' })],
    ['the id in another case', send(200, { ...record, id: ID.toUpperCase() })],
    ['no review', send(200, noReview)],
    ['a review of the wrong type', send(200, { ...record, review: 'GREEN' })],
    ['a completed review without answer', send(200, { ...record, review: { reviewStatus: 'completed' } })],
    ['an unknown type', send(200, { ...record, type: 'robot' })],
    ['a name of the wrong type', withInfo({ lastName: 7 })],
    ['a day that does not exist', withInfo({ dob: '1990-02-30' })],
    ['a month that does not exist', withInfo({ dob: '1990-13-01' })],
    ['a date in another form', withInfo({ dob: '10.12.1990' })],
    ['a country in another form', withInfo({ country: 'gb' })],
    ['201', send(201, record)],
    ['400', sumsubError(400)],
    ['a 404 of something else', send(404, '<html>no such page</html>')],
    ['a redirect', send(302, '', { location: '/elsewhere' })],
  ])('the response is refused: %s', async (_what, answer) => {
    expect(await failure([answer, send(200, record)])).toBe(UNUSABLE);
    expect(arrivals).toHaveLength(1);
  });

  it('a wrong key is reported as our configuration error, not as the client’s', async () => {
    expect(await failure([send(200, record)], { secretKey: 'another' })).toBe(REFUSED);
    expect(await failure([sumsubError(403)])).toBe(REFUSED);
    expect(arrivals).toHaveLength(2);
  });

  it('the log has its correlation id and no other text of its response', async () => {
    const error = await find([sumsubError(401)]).catch((reason: EmbossError) => reason);
    expect(String((error as EmbossError).cause)).toBe(
      'Error: Sumsub returned 401, correlationId req-5fd59b09',
    );
  });

  it('plain http to another machine is refused', () => {
    expect(() => find([], { url: 'http://api.sumsub.com' })).toThrow('must begin with https://');
  });
});
