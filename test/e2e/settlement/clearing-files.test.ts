import { describe, expect, test } from 'vitest';
import { networkApp, newMessageId, ownProgram, payingCard } from '../../support/cards/network.ts';
import {
  CSV,
  clearingRecord,
  fileOf,
  importFile,
  linesOf,
  NDJSON,
  ndjsonOf,
  recordOf,
  sendFile,
  workOnFiles,
} from '../../support/settlement/clearing-files.ts';

const app = networkApp();

describe.each([NDJSON, CSV])('a file as %s', (type) => {
  test('books what has not come, matches what has, and the books are those of the messages', async () => {
    const owner = await ownProgram(app);
    const card = await payingCard(app, {}, owner);
    const before = await card.available();
    const held = await card.hold('10.00');
    const known = await card.clear(await card.hold('7.00'), '7.00');
    const fresh = clearingRecord(card, '10.00', { external_transaction_id: held });
    const stray = clearingRecord(card, '3.00', {
      merchant: { id: 'm-1', name: 'A "quoted", shop', mcc: '5411' },
    });
    const records = [
      fresh,
      clearingRecord(card, '7.00', {
        network_id: known.clearing_id,
        external_transaction_id: known.external_transaction_id,
      }),
      stray,
      recordOf('refund', '2.50', { card_number: card.number }),
      recordOf('clearing_reversal', '3.00', { reverses: stray['network_id'] }),
    ];
    const file = await importFile(app, records, { type, owner });
    expect(file).toMatchObject({
      status: 'COMPLETED',
      records: 5,
      totals: { debit_total: '20.00', credit_total: '5.50', currency: 'EUR' },
      outcomes: { MATCHED: 1, BOOKED: 4, DIFFERENT: 0, NOT_BOOKED: 0 },
      rejected: null,
    });
    expect(await card.available()).toBe(before - 10 - 7 + 2.5);
    // The message after the file is a repeat.
    const { body } = await card.send('clearings', {
      clearing_id: fresh['network_id'],
      external_transaction_id: held,
      ...{ amount: '10.00', currency: 'EUR', bill_amount: '10.00', bill_currency: 'EUR' },
    });
    expect([body.status, await card.available()]).toEqual(['CLEARED', before - 10 - 7 + 2.5]);
  });
});

describe('the upload', () => {
  test('is answered with the file as it is received', async () => {
    const fileId = newMessageId('received');
    const { status, body } = await sendFile(app, ndjsonOf(linesOf(fileId, [])), { fileId, last: true });
    expect([status, body]).toEqual([
      202,
      {
        ...{ file_id: fileId, settlement_date: '2026-11-17', last: true, status: 'RECEIVED' },
        ...{ records: null, totals: null, rejected: null, created: expect.any(String), ended: null },
        outcomes: { MATCHED: 0, BOOKED: 0, DIFFERENT: 0, NOT_BOOKED: 0 },
      },
    ]);
    await workOnFiles(app);
    expect(await fileOf(app, fileId)).toMatchObject({ status: 'COMPLETED', records: 0 });
  });
});
