import type { KycProvider } from '../../../src/kyc/kyc.ts';
import type { TestApp } from '../server/test-app.ts';

/** A valid create-card request for a person; `changes` replace top-level fields. */
export function consumerCard(changes: Record<string, unknown> = {}) {
  return {
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
        postalCode: 'SW1Y 4JH',
      },
    },
    meta: {
      id: 'customer-42',
      otpPhoneNumber: { dialCode: 44, phoneNumber: '7700900123' },
      email: 'ada@example.com',
    },
    ...changes,
  };
}

export function businessCard(changes: Record<string, unknown> = {}) {
  return consumerCard({
    customerType: 'Business',
    kyc: {
      fullName: 'Analytical Engines Ltd',
      entityType: 'company',
      businessRegistrationNumber: '01234567',
      businessOperationAddress: { line1: '1 Dorset Street', line2: '', city: 'London', country: 'GBR' },
    },
    ...changes,
  });
}

export function shippingInformation(changes: Record<string, unknown> = {}) {
  return {
    shippingAddress: {
      line1: '12 St James Square',
      line2: null,
      zone: null,
      city: 'London',
      postalCode: 'SW1Y 4JH',
      country: 'GB',
    },
    recipientFirstName: 'Ada',
    recipientLastName: 'Lovelace',
    recipientPhoneNumber: '7700900123',
    recipientDialCode: 44,
    recipientEmail: 'ada@example.com',
    cardDesign: 'black',
    ...changes,
  };
}

/** For live programs, which refuse the sandbox provider: approves every applicant as submitted. */
export const APPROVING_KYC: KycProvider = {
  name: 'approving',
  findApplicant: async (_id, submitted) => ({
    review: 'approved',
    firstName: null,
    lastName: null,
    dob: null,
    fullName: null,
    businessRegistrationNumber: null,
    ...submitted,
  }),
};

export const CARDS = '/api/v1/merchant/cards/';

export async function createCard(
  app: TestApp,
  changes: Record<string, unknown> = {},
  key: string = app.key,
): Promise<{ id: string; lastFour: string }> {
  const answer = await app.call('POST', CARDS, { body: consumerCard(changes), key });
  if (answer.status !== 201) throw new Error(`card not created: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** A copy with the value at a dotted path replaced, or taken out when `value` is undefined. */
export function withValue(body: object, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(body) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop() as string;
  let at = copy;
  for (const name of names) at = at[name] as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

/** Rows in every table a card touches: a refused request must leave all of them as they were. */
export async function rowsWritten(app: TestApp): Promise<Record<string, number>> {
  const tables = [
    ...['cards', 'card_counters', 'credentials', 'card_fingerprints', 'vault_records', 'shipments', 'events'],
    ...['ledger_accounts', 'ledger_transfers', 'ledger_daily_balances', 'balance_adjustments'],
    ...['transactions', 'network_messages', 'presentments'],
  ];
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`);
  return (await app.sql(`select ${counts.join(', ')}`))[0] as Record<string, number>;
}
