/** Why money moved. Reports group by it, so a code never changes its meaning. */
export type TransferCode =
  | 'opening_balance'
  | 'adjustment'
  | 'funding'
  | 'withdrawal'
  | 'credit_hold'
  | 'credit_release'
  | 'hold'
  | 'release'
  | 'clearing'
  | 'fx_fee'
  | 'atm_fee'
  | 'interchange'
  | 'transaction_cost'
  | 'refund'
  | 'credit_refund'
  | 'suspense'
  | 'issuance_fee'
  | 'maintenance_fee';

export interface Transfer {
  movementId: string;
  code: TransferCode;
  debitAccountId: string;
  creditAccountId: string;
  amountMinor: bigint;
}

/** The change of each account by a list of transfers. */
export function deltasOf(transfers: readonly Transfer[]): Map<string, bigint> {
  const deltas = new Map<string, bigint>();
  for (const { debitAccountId, creditAccountId, amountMinor } of transfers) {
    deltas.set(debitAccountId, (deltas.get(debitAccountId) ?? 0n) - amountMinor);
    deltas.set(creditAccountId, (deltas.get(creditAccountId) ?? 0n) + amountMinor);
  }
  return deltas;
}
