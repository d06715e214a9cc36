import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCli } from '../../test/support/server/cli.ts';
import { appForTests } from '../../test/support/server/test-app.ts';

const app = appForTests();
const directory = mkdtempSync(join(tmpdir(), 'emboss-csv-'));
afterAll(() => rmSync(directory, { recursive: true }));

const HEAD =
  'customerType,cardType,preferredCardName,spendLimit,kycApplicantId,meta.id,meta.otpPhoneNumber.dialCode,meta.otpPhoneNumber.phoneNumber,metadata.team,kyc.firstName,kyc.lastName,kyc.dob,kyc.residentialAddress.idDocumentType,kyc.residentialAddress.idDocumentNumber,kyc.residentialAddress.line1,kyc.residentialAddress.line2,kyc.residentialAddress.city,kyc.residentialAddress.country';
const row = (id: string, { applicant = 'applicant-1', dob = '1990-12-10', spendLimit = '12.50' } = {}) =>
  `Consumer,virtual,ADA LOVELACE,${spendLimit},${applicant},${id},44,7700900123,blue,Ada,"Love""lace",${dob},passport,P1234567,"12, St James Square",,London,GBR`;

const createMany = (name: string, lines: string[], ...args: string[]) => {
  const file = join(directory, name);
  writeFileSync(file, lines.join('\r\n'));
  return runCli(app.env, ['card', 'create-many', file, ...args]);
};
const cards = async () => (await app.sql<{ id: string }>('select id from cards')).length;

test('creates a card for each line, and writes the lines that failed with their errors', async () => {
  const answer = await createMany('mixed.csv', [
    HEAD,
    row('file-1'),
    row('file-2', { applicant: 'rejected-1' }),
    '',
    row('file-3', { spendLimit: '' }),
  ]);
  const failedFile = join(directory, 'mixed.csv.failed.csv');
  expect(answer).toMatchObject({
    ...{ code: 1, err: '' },
    out: `Created 2 of 3 cards.\n1 rows failed: see ${failedFile}\n`,
  });
  const failed = readFileSync(failedFile, 'utf8').split('\r\n');
  const refusal = 'kycApplicantId: the applicant is not approved (rejected)';
  expect(failed).toEqual([`${HEAD},error`, `${row('file-2', { applicant: 'rejected-1' })},${refusal}`, '']);
  const listed = (await app.call('GET', '/api/v1/merchant/cards/')).body.results;
  const [third, first] = listed as Array<{ id: string; externalCustomerId: string }>;
  expect([third?.externalCustomerId, first?.externalCustomerId].sort()).toEqual(['file-1', 'file-3']);
  const ofFirst = listed.find((card: { externalCustomerId: string }) => card.externalCustomerId === 'file-1');
  const { body } = await app.call('GET', `/api/v1/merchant/cards/${ofFirst.id}/`);
  expect(body).toMatchObject({
    spendLimit: 12.5,
    metadata: { team: 'blue' },
    cardholderName: 'Ada Love"lace',
  });
  // Corrected: the column of the errors is ignored.
  const again = failed.map((line) => line.replace('rejected-1', 'applicant-9'));
  expect(await createMany('again.csv', again, '--json')).toMatchObject({
    code: 0,
    json: { total: 1, created: 1, failed: 0, failedFile: null },
  });
});

test.each<[string, string[], string]>([
  [
    'wrong lines',
    [HEAD, row('bad-1', { dob: '10.12.1990' }), row('good'), row('bad-2', { spendLimit: '1.005' })],
    '2 of 3 rows are wrong; no card was created\n  line 2: kyc.dob: must be a valid date, as YYYY-MM-DD\n  line 4: spendLimit: must have at most 2 decimals in EUR',
  ],
  [
    'an amount that is no number',
    [HEAD, row('bad', { spendLimit: 'much' })],
    'line 2: spendLimit: must be a number',
  ],
  [
    'a misspelt column',
    [HEAD.replace('kyc.dob', 'kyc.bod'), row('a')],
    'csv: the column kyc.bod is not a field of a card; did you mean kyc.dob?',
  ],
  [
    'a key that metadata cannot have',
    [`${HEAD},metadata.__proto__`, `${row('a')},x`],
    'csv: the column metadata.__proto__ is not a field of a card',
  ],
  [
    'a column given twice',
    [`${HEAD},cardType`, `${row('a')},virtual`],
    'csv: the column cardType must be given once',
  ],
  ['too few values', [HEAD, 'Consumer,virtual'], 'csv: line 2: has 2 values, and the first line 18'],
  ['an open quote', [HEAD, '"Consumer'], 'csv: line 2: a quoted value does not end'],
  ['no lines', [HEAD], 'csv: must have a line for each card below the names of the columns'],
  ['nothing', [''], 'csv: must have a first line with the names of the columns'],
])('%s: nothing is created, and the line is named', async (_, lines, message) => {
  const before = await cards();
  const { code, err } = await createMany('wrong.csv', lines);
  expect(code).toBe(1);
  expect(err).toContain(message);
  expect(await cards()).toBe(before);
});
