import type { Static } from 'typebox';
import { AMOUNT_REASONS } from '../../authorizations/core/decide.ts';
import { DECLINES } from '../../authorizations/core/decline.ts';
import {
  type Fees,
  feesOf,
  shownMoney,
  type TransactionRecord,
} from '../../authorizations/core/transaction.ts';
import { findDeclineLimits } from '../../authorizations/transactions/decline-queries.ts';
import type { DeclineLimits } from '../../authorizations/transactions/schema.ts';
import type { CardHolder } from '../../cards/card.ts';
import { findLastFours } from '../../cards/queries.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import { formatAmount } from '../../kernel/money.ts';
import type { QueryServices } from '../services.ts';
import type { TransactionDetail } from './schema.ts';

type Limits = Static<typeof DeclineLimits> | null;

/** Transactions for operators, with cardholder names and last four digits. */
export async function detailsOf(
  { db, vault }: Pick<QueryServices, 'db' | 'vault'>,
  programId: string,
  records: readonly TransactionRecord[],
): Promise<TransactionDetail[]> {
  if (records.length === 0) return [];
  const unique = (ids: string[]) => [...new Set(ids)];
  const byAmount = records.filter(({ declineReason: reason }) => reason && AMOUNT_REASONS.includes(reason));
  const [holders, lastFours, limits] = await Promise.all([
    vault.openRecords(db, programId, 'holder', unique(records.map(({ cardId }) => cardId))),
    findLastFours(db, programId, unique(records.map(({ credentialId }) => credentialId))),
    byAmount.length === 0
      ? new Map()
      : findDeclineLimits(db, programId, unique(byAmount.map(({ id }) => id))),
  ]);
  return records.map((record) =>
    presentDetail(
      record,
      (holders.get(record.cardId) as CardHolder).cardholderName,
      lastFours.get(record.credentialId) ?? '',
      limits.get(record.id) ?? null,
    ),
  );
}

function presentDetail(
  record: TransactionRecord,
  cardholderName: string,
  lastFour: string,
  limits: Limits,
): TransactionDetail {
  const { billMinor, amountMinor, currency } = shownMoney(record);
  const { billCurrency } = record;
  const fees = feesOf(record);
  return {
    id: record.id,
    externalTransactionId: record.externalTransactionId,
    cardId: record.cardId,
    lastFour,
    cardholderName,
    kind: record.kind,
    type: record.type,
    status: record.status,
    amount: formatAmount(amountMinor, currency),
    currency,
    billAmount: formatAmount(billMinor, billCurrency),
    billCurrency,
    fees: presentFees(fees, billCurrency),
    total: formatAmount(billMinor + fees.fxMinor + fees.atmMinor, billCurrency),
    channel: record.channel,
    merchant: record.acceptor,
    decline: presentDecline(record, limits),
    approvalCode: record.approvalCode,
    flags: record.flags,
    network: record.network,
    created: formatTimestamp(record.createdAt),
  };
}

const presentFees = ({ fxMinor, atmMinor }: Fees, currency: string) => ({
  fx: formatAmount(fxMinor, currency),
  atm: formatAmount(atmMinor, currency),
});

/**
 * A clearing without authorization may have a decline reason for an authorization that never arrived. Nothing was
 * declined then.
 */
export function presentDecline(
  { declineReason, networkCode }: Pick<TransactionRecord, 'declineReason' | 'networkCode'>,
  limits: Limits,
): TransactionDetail['decline'] {
  if (declineReason === null || networkCode === null) return null;
  const { declineCode, meaning, remedy } = DECLINES[declineReason];
  return { code: declineCode, reason: declineReason, networkCode, meaning, remedy, limits };
}
