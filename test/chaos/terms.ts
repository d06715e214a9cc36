import type { Terms } from '../model/card.ts';
import { sql } from '../support/database/database.ts';

/** Rates that often meet half a cent, and a cash fee that a card often can no longer pay. */
export const TERMS: Terms = {
  currency: 'EUR',
  authorizationMode: 'STANDARD',
  fxFeeBps: 250,
  atmFeeMinor: 1_250n,
  interchangeBps: 50,
  cashInterchangeBps: -35,
  transactionCostMinor: 7n,
  transactionCostBps: 25,
  virtualIssuanceFeeMinor: 90n,
  holdDays: 7,
  longHoldDays: 30,
  // The sandbox program starts with it.
  fundedMinor: 10_000_000n,
  standIn: { transactionLimit: 2_000n, dailyLimit: 10_000n },
};

export const setTerms = (databaseUrl: string): Promise<unknown> =>
  sql(
    databaseUrl,
    `update programs set fx_fee_bps = $1, atm_fee_minor = $2, interchange_bps = $3, transaction_cost_minor = $4,
       transaction_cost_bps = $5, virtual_issuance_fee_minor = $6, hold_days = $7,
       cash_interchange_bps = $8, maintenance_fee_minor = 0`,
    [
      TERMS.fxFeeBps,
      TERMS.atmFeeMinor,
      TERMS.interchangeBps,
      TERMS.transactionCostMinor,
      TERMS.transactionCostBps,
      TERMS.virtualIssuanceFeeMinor,
      TERMS.holdDays,
      TERMS.cashInterchangeBps,
    ],
  );
