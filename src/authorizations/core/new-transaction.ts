import type { CardFacts } from '../../cards/card-facts.ts';
import type { Acceptor } from '../../cards/read-network.ts';
import { newId } from '../../kernel/ids.ts';
import type { Program } from '../../programs/program.ts';
import type { AuthorizationType } from './authorization-type.ts';
import type { Setting } from './effects.ts';
import type { Money, Origin } from './message.ts';
import type { Channel, TransactionRecord } from './transaction.ts';

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
  type: null,
  parentId: null,
  amountMinor,
  currency,
  billAmountMinor,
  billCurrency: program.currency,
  authorizationMode: program.authorizationMode,
  channel: null,
  acceptor: null,
  authentication: null,
  declineReason: null,
  networkCode: null,
  approvalCode: null,
  fxFeeBps: program.fxFeeBps,
  atmFeeMinor: 0n,
  heldMinor: 0n,
  heldAmountMinor: 0n,
  increments: [],
  renewedAt: null,
  holdEnd: null,
  advised: false,
  clearedMinor: 0n,
  fxClearedMinor: 0n,
  final: false,
  clearedAmountMinor: 0n,
  clearedCurrency: null,
  flags: [],
  metadata: null,
  network: null,
  rules: null,
  cvvGiven: false,
  createdAt: new Date(nowMs),
  approvedOn: null,
  counted: [],
  ...given,
});

const isCash = ({ channel, type }: { channel: Channel | null; type: AuthorizationType | null }): boolean =>
  channel === 'ATM' || type === 'CASH';

/** The cardholder's fee for cash. */
export const atmFeeOf = (program: Program, purchase: Parameters<typeof isCash>[0]): bigint =>
  isCash(purchase) ? program.atmFeeMinor : 0n;

/** The interchange by the program's fee schedule. */
export const interchangeBpsOf = (program: Program, purchase: Parameters<typeof isCash>[0]): number =>
  isCash(purchase) ? program.cashInterchangeBps : program.interchangeBps;

/** What is known of an acceptor, filled with what a later message says of it. */
export const fillOrigin = (
  known: Pick<TransactionRecord, 'channel' | 'acceptor'>,
  { channel, acceptor }: Origin,
): Pick<TransactionRecord, 'channel' | 'acceptor'> => ({
  channel: known.channel ?? channel ?? null,
  acceptor:
    known.acceptor && acceptor
      ? fillAcceptor(known.acceptor, acceptor)
      : (known.acceptor ?? acceptor ?? null),
});

const fillAcceptor = (known: Acceptor, given: Acceptor): Acceptor => ({
  ...known,
  name: known.name ?? given.name,
  city: known.city ?? given.city,
  country: known.country ?? given.country,
});
