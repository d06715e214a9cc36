import type { Exemption } from '../programs/program.ts';

export const INITIATORS = ['CARDHOLDER', 'MERCHANT'] as const;
export const ENTRY_MODES = ['CHIP', 'CONTACTLESS', 'MAGSTRIPE', 'MANUAL', 'STORED'] as const;

/**
 * What a message says beside what it decides or moves, named as the API names it. Null: the network said a word that we do
 * not know.
 */
export interface NetworkData {
  initiator?: (typeof INITIATORS)[number] | null;
  recurring?: boolean | null;
  entry_mode?: (typeof ENTRY_MODES)[number] | null;
  exemption?: Exemption | null;
  token_requestor?: string | null;
  terminal_id?: string | null;
  retrieval_reference?: string | null;
  /** Alpha-3. */
  acquirer_country?: string | null;
  cash_back_amount?: string | null;
  pre_authorization?: boolean | null;
  /** Of clearings and refunds. */
  arn?: string | null;
  settlement_date?: string | null;
  interchange_amount?: string | null;
}

/** The newest value of each field counts. */
export const withNewer = (known: NetworkData | null, given: NetworkData | null): NetworkData | null =>
  known && given ? { ...known, ...given } : (given ?? known);
