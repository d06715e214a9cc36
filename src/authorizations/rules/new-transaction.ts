import type { CardFacts } from '../../cards/card-facts.ts';
import { newId } from '../../kernel/ids.ts';
import type { Program } from '../../programs/program.ts';
import type { Setting } from './effects.ts';
import type { Money } from './message.ts';
import type { TransactionRecord } from './transaction.ts';

type Given = Pick<TransactionRecord, 'kind' | 'externalTransactionId' | 'status'> &
  Partial<TransactionRecord>;

/** A transaction with nothing held, cleared, reversed or charged, except for the given fields. */
export const newTransaction = (
  { amountMinor, currency, billAmountMinor }: Money,
  { cardId, credentialId }: CardFacts,
  { program, nowMs }: Setting,
  given: Given,
): TransactionRecord => ({
  id: newId(nowMs),
  cardId,
  credentialId,
  parentId: null,
  amountMinor,
  currency,
  billAmountMinor,
  billCurrency: program.currency,
  channel: null,
  merchant: null,
  declineReason: null,
  networkCode: null,
  approvalCode: null,
  fxFeeBps: 0,
  atmFeeMinor: 0n,
  heldMinor: 0n,
  clearedMinor: 0n,
  reversedMinor: 0n,
  final: false,
  clearedAmountMinor: 0n,
  clearedCurrency: null,
  createdAt: new Date(nowMs),
  approvedAt: null,
  ...given,
});

/** The program's fees that apply: in a foreign currency, and for cash. */
export const feeTerms = (currency: string, channel: string | null, program: Program) => ({
  fxFeeBps: currency === program.currency ? 0 : program.fxFeeBps,
  atmFeeMinor: channel === 'ATM' ? program.atmFeeMinor : 0n,
});
