export const CHANNELS = ['ECOMMERCE', 'POS', 'ATM', 'MOTO'] as const;
export const TYPES = ['PURCHASE', 'CASH', 'BALANCE_INQUIRY', 'CREDIT'] as const;
export const INITIATORS = ['CARDHOLDER', 'MERCHANT'] as const;
export const ENTRY_MODES = ['CHIP', 'CONTACTLESS', 'MAGSTRIPE', 'MANUAL', 'STORED'] as const;
export const CARD_TYPES = ['physical', 'virtual'] as const;

/** What a rule sees of an attempt. Built by `authorizations/core/rule-attempt.ts`, live and for a backtest. */
export interface Attempt {
  /** Program time. */
  atMs: number;
  /** As requested. */
  billAmountMinor: bigint;
  currency: string;
  programCurrency: string;
  /** Alpha-3. */
  country: string | null;
  /** Four digits. */
  mcc: string | null;
  channel: (typeof CHANNELS)[number] | null;
  type: (typeof TYPES)[number];
  /** Trimmed. */
  merchantId: string | null;
  merchantName: string | null;
  initiator: (typeof INITIATORS)[number] | null;
  recurring: boolean | null;
  entryMode: (typeof ENTRY_MODES)[number] | null;
  authenticated: boolean;
  cvvGiven: boolean;
  card: {
    id: string;
    type: (typeof CARD_TYPES)[number];
    createdAtMs: number;
    designId: string;
    metadata: Readonly<Record<string, string>> | null;
  };
  /** The keyed digest of the customer's id, hex: customer ids are never plain in the database. */
  customerKey: string;
}
