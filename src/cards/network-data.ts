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

/** The newest known value of each field counts; what was pre-authorized stays so. */
export function withNewer(known: NetworkData | null, given: NetworkData | null): NetworkData | null {
  if (!known || !given) return given ?? known;
  const isNews = ([field, value]: [string, unknown]) =>
    !(field in known) || (value !== null && !(field === 'pre_authorization' && known.pre_authorization));
  return { ...known, ...Object.fromEntries(Object.entries(given).filter(isNews)) };
}
