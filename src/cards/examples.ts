import { EXAMPLE_METADATA } from '../http/metadata-schema.ts';

/** A request that succeeds in the sandbox unchanged; the documentation and the start-up summary show it. */
export const EXAMPLE_CARD = {
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
  metadata: EXAMPLE_METADATA,
};

/** The card that the request creates. */
export const EXAMPLE_CARD_ANSWER = {
  id: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f',
  currency: 'EUR',
  lastFour: '7803',
  externalCustomerId: 'customer-42',
  cardholderName: 'Ada Lovelace',
  cardName: 'ADA LOVELACE',
  cardDesign: 'classic-black',
  cardType: 'virtual',
  status: 'ACTIVE',
  created: '2026-11-15T08:30:00+0000',
};

export const EXAMPLE_DETAILS = {
  ...EXAMPLE_CARD_ANSWER,
  statusReason: null,
  availableCredit: 250,
  spendLimit: 250,
  expiryDate: '2029-11-15',
  spendControls: {
    transactionLimit: null,
    dailyLimit: null,
    monthlyLimit: null,
    allTimeLimit: null,
    allowedMccs: [],
    blockedMccs: [],
    temporaryLimits: { transactionLimit: null, dailyLimit: null, monthlyLimit: null },
  },
  usage: null,
  replaces: null,
  replacedBy: null,
  shipment: null,
  meta: { ...EXAMPLE_CARD.meta, email: null },
  metadata: EXAMPLE_METADATA,
};

/** One purchase, whenever it comes. */
export const EXAMPLE_USAGE = { purchases: 1, merchants: null, from: null, until: null };

export const EXAMPLE_CREDENTIALS = {
  cardNumber: '9999000000000000',
  cvv: '123',
  expiryMonth: 11,
  expiryYear: 2029,
  expiryDate: '2029-11-15',
};

export const EXAMPLE_ADJUSTMENT = {
  id: '019a85f2-7c1e-7002-9f3e-5a1c2b3d4e5f',
  cardId: EXAMPLE_CARD_ANSWER.id,
  amount: 50,
  reference: 'top-up 7',
  availableCredit: 300,
  created: '2026-11-15T08:31:00+0000',
};

export const EXAMPLE_LISTED_ADJUSTMENT = {
  id: EXAMPLE_ADJUSTMENT.id,
  amount: EXAMPLE_ADJUSTMENT.amount,
  currency: EXAMPLE_CARD_ANSWER.currency,
  reference: EXAMPLE_ADJUSTMENT.reference,
  created: EXAMPLE_ADJUSTMENT.created,
};

export const EXAMPLE_CONTACT = {
  otpPhoneNumber: { dialCode: 49, phoneNumber: '15123456789' },
  email: 'ada@example.com',
};
