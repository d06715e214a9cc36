// From a new card to its settlement report with the SDK. In a clone of Emboss, with the server running:
//   EMBOSS_SANDBOX_API_KEY=my-sandbox-merchant-key node examples/sdk/tour.mjs
import { createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import { createEmboss, formatAmount, isEmbossError, parseAmount, parseTimestamp, utcDay } from '@emboss/sdk';

const { EMBOSS_URL = 'http://127.0.0.1:8080', EMBOSS_SANDBOX_API_KEY = 'my-sandbox-merchant-key' } =
  process.env;
const emboss = createEmboss({ baseUrl: EMBOSS_URL, apiKey: EMBOSS_SANDBOX_API_KEY });
const say = (text) => process.stdout.write(`${text}\n`);

// Retries never create a second card: the SDK repeats the request with the same Idempotency-Key.
const card = await emboss.cards.create({
  kycApplicantId: 'applicant-1',
  cardType: 'virtual',
  preferredCardName: 'ADA LOVELACE',
  spendLimit: 250,
  customerType: 'Consumer',
  kyc: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    dob: '1990-12-10',
    residentialAddress: {
      idDocumentType: 'passport',
      idDocumentNumber: 'P1234567',
      line1: '12 St James Square',
      line2: '',
      city: 'London',
      country: 'GBR',
    },
  },
  meta: { id: 'customer-42', otpPhoneNumber: { dialCode: 44, phoneNumber: '7700900123' } },
});
say(`card ${card.id} ends in ${card.lastFour}`);

const approved = await emboss.sandbox.authorize({ card_id: card.id, amount: '12.50' });
say(`approved: ${approved.approved}, ${approved.bill_amount} ${approved.bill_currency}`);

// A decline is a regular answer, not an error.
const declined = await emboss.sandbox.authorize({ card_id: card.id, amount: '9999.00' });
say(`approved: ${declined.approved}, because of ${declined.decline_reason}`);

await emboss.sandbox.clear({ transaction_id: approved.transaction_id, amount: '14.00' });
const { availableCredit, currency } = await emboss.cards.get(card.id);
say(`left: ${formatAmount(parseAmount(availableCredit, currency), currency)} ${currency}`);

for await (const transaction of emboss.cards.transactions(card.id))
  say(`${parseTimestamp(transaction.created).toISOString()} ${transaction.status} ${transaction.amount}`);

// A refused request throws an error with a code and the field.
try {
  await emboss.cards.adjustBalance(card.id, { amount: -1000, reference: 'too much' });
} catch (error) {
  if (!isEmbossError(error)) throw error;
  say(`refused with ${error.code}, field ${error.field}: ${error.message}`);
}

// The report of a day is available two days later; in the sandbox the clock can be moved.
const day = utcDay(parseTimestamp((await emboss.sandbox.clock()).now));
await emboss.sandbox.moveClock({ advance_seconds: 3 * 86_400 });
const report = await emboss.reports.download('daily', day);
await report.stream.pipeTo(Writable.toWeb(createWriteStream(report.fileName)));
say(`report ${report.fileName}`);
