import { codeMeant, describeCategory } from '../../lib/merchant-categories.ts';
import type { Channel } from '../../lib/types.ts';

/** The values of the form as text, as they are sent. */
export interface Purchase {
  amount: string;
  currency: string;
  /** The amount that the network would convert to the card's currency; for a foreign currency only. */
  billAmount: string;
  channel: Channel;
  merchant: string;
  /** A code, or a category of the list. */
  mcc: string;
  city: string;
  country: string;
  /** Empty: not sent, as for a purchase in a shop. */
  cvv: string;
  /** Empty: the card's own date. */
  expiry: string;
  /** Whether the cardholder is authenticated first. */
  isSecure: boolean;
  /** Whether a refund is announced instead. */
  isCredit: boolean;
  decidedBy: DecidedBy;
  initiator: string;
  exemption: string;
  isPreAuthorization: boolean;
}

/** Who decides: Emboss, or the network in its place, which sends an advice. */
export const DECIDED_BY = {
  emboss: 'Emboss',
  approved: 'The network: approved',
  declined: 'The network: declined',
} as const;
export type DecidedBy = keyof typeof DECIDED_BY;

export interface Preset {
  label: string;
  words: string;
  purchase: (context: { currency: string; available: number }) => Partial<Purchase>;
}

const PLAIN = {
  cvv: '',
  expiry: '',
  billAmount: '',
  isSecure: false,
  isCredit: false,
  decidedBy: 'emboss',
  initiator: 'CARDHOLDER',
  exemption: 'NONE',
  isPreAuthorization: false,
} satisfies Partial<Purchase>;
/** Every field, for a form that has nothing in it yet. */
export const EMPTY: Purchase = {
  ...PLAIN,
  ...shop('', '', '', ''),
  amount: '',
  currency: '',
  channel: 'POS',
};
const FOREIGN_RATE = 0.92;

/** With the decimals of the currency, as far as the browser knows them. */
function decimal(amount: number, currency: string): string {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return amount.toFixed(maximumFractionDigits);
}

export const PRESETS: Preset[] = [
  {
    label: 'Groceries',
    words: 'In store',
    purchase: ({ currency }) => ({
      ...PLAIN,
      ...shop('Corner Grocer', '5411', 'Berlin', 'DEU'),
      amount: decimal(24.9, currency),
      currency,
      channel: 'POS',
    }),
  },
  {
    label: 'Online shop',
    words: 'Online',
    purchase: ({ currency }) => ({
      ...PLAIN,
      ...shop('Circuit Barn', '5732', 'Dublin', 'IRL'),
      amount: decimal(59, currency),
      currency,
      channel: 'ECOMMERCE',
    }),
  },
  {
    label: '3-D Secure',
    words: 'Online, the cardholder confirms it first',
    purchase: ({ currency }) => ({
      ...PLAIN,
      ...shop('Circuit Barn', '5732', 'Dublin', 'IRL'),
      amount: decimal(120, currency),
      currency,
      channel: 'ECOMMERCE',
      isSecure: true,
    }),
  },
  {
    label: 'Abroad',
    words: 'Foreign currency, with the FX fee',
    purchase: ({ currency }) => {
      const foreign = currency === 'USD' ? 'EUR' : 'USD';
      return {
        ...PLAIN,
        ...shop('Lone Star Diner', '5812', 'Austin', 'USA'),
        amount: decimal(40, foreign),
        currency: foreign,
        billAmount: decimal(40 * FOREIGN_RATE, currency),
        channel: 'POS',
      };
    },
  },
  {
    label: 'Withdrawal',
    words: 'At an ATM, with the ATM fee',
    purchase: ({ currency }) => ({
      ...PLAIN,
      ...shop('Main Square ATM', '6011', 'Lisbon', 'PRT'),
      amount: decimal(100, currency),
      currency,
      channel: 'ATM',
    }),
  },
  {
    label: 'Gambling',
    words: 'A category that is often blocked',
    purchase: ({ currency }) => ({
      ...PLAIN,
      ...shop('Lucky Clover Online', '7995', 'Valletta', 'MLT'),
      amount: decimal(20, currency),
      currency,
      channel: 'ECOMMERCE',
    }),
  },
  {
    label: 'Over balance',
    words: "More than the card's balance",
    purchase: ({ currency, available }) => ({
      ...PLAIN,
      ...shop('Golden Hour Jewellers', '5944', 'Vienna', 'AUT'),
      amount: decimal(Math.max(0, Math.floor(available)) + 1, currency),
      currency,
      channel: 'POS',
    }),
  },
  {
    label: 'Hotel',
    words: 'Pre-authorization, held for longer',
    purchase: ({ currency }) => ({
      ...PLAIN,
      ...shop('Hotel Aurora', '7011', 'Vienna', 'AUT'),
      amount: decimal(80, currency),
      currency,
      channel: 'POS',
      isPreAuthorization: true,
    }),
  },
  {
    label: 'Advice',
    words: 'The network approved in our place',
    purchase: ({ currency }) => ({
      ...PLAIN,
      ...shop('Corner Grocer', '5411', 'Berlin', 'DEU'),
      amount: decimal(18, currency),
      currency,
      channel: 'POS',
      decidedBy: 'approved',
    }),
  },
  {
    label: 'Credit',
    words: 'Announces a refund to the card',
    purchase: ({ currency }) => ({
      ...PLAIN,
      ...shop('Circuit Barn', '5732', 'Dublin', 'IRL'),
      amount: decimal(30, currency),
      currency,
      channel: 'ECOMMERCE',
      isCredit: true,
    }),
  },
  {
    label: 'Wrong expiry',
    words: 'Mistyped online',
    purchase: ({ currency }) => ({
      ...PLAIN,
      ...shop('Circuit Barn', '5732', 'Dublin', 'IRL'),
      amount: decimal(15, currency),
      currency,
      channel: 'ECOMMERCE',
      expiry: '2020-01',
    }),
  },
  {
    label: 'Account check',
    words: 'Zero amount, no hold',
    purchase: ({ currency }) => ({
      ...PLAIN,
      ...shop('Streamly', '5815', 'Amsterdam', 'NLD'),
      amount: decimal(0, currency),
      currency,
      channel: 'ECOMMERCE',
    }),
  },
];

function shop(merchant: string, mcc: string, city: string, country: string) {
  return { merchant, mcc: describeCategory(mcc), city, country };
}

/** The request body that authenticates the cardholder. */
export const authenticationOf = (
  cardId: string,
  { amount, currency, merchant, mcc, city, country, expiry }: Purchase,
) => ({
  card_id: cardId,
  amount: amount.trim(),
  currency,
  merchant: { name: merchant.trim(), mcc: codeMeant(mcc.trim()), city, country },
  ...(expiry.trim() !== '' && { expiry: expiry.trim() }),
});

/** The request body of a purchase in the sandbox API. */
export function bodyOf(cardId: string, purchase: Purchase, cardCurrency: string, authenticationId?: string) {
  const { amount, currency, billAmount, channel, merchant, mcc, city, country, cvv, expiry } = purchase;
  const isForeign = currency !== cardCurrency;
  return {
    card_id: cardId,
    amount: amount.trim(),
    currency,
    ...(isForeign && { bill_amount: billAmount.trim(), bill_currency: cardCurrency }),
    channel,
    merchant: { name: merchant.trim(), mcc: codeMeant(mcc.trim()), city, country },
    ...(cvv.trim() !== '' && { cvv: cvv.trim() }),
    ...(expiry.trim() !== '' && { expiry: expiry.trim() }),
    ...(purchase.isCredit && { type: 'CREDIT' }),
    ...(purchase.decidedBy !== 'emboss' && { stand_in: { approved: purchase.decidedBy === 'approved' } }),
    ...(purchase.initiator !== 'CARDHOLDER' && { initiator: purchase.initiator }),
    ...(purchase.exemption !== 'NONE' && { exemption: purchase.exemption }),
    ...(purchase.isPreAuthorization && { pre_authorization: true }),
    ...(authenticationId && { authentication: { authentication_id: authenticationId } }),
  };
}
