import type { Day } from '../../kernel/calendar.ts';
import type { Transfer } from '../../ledger/transfer.ts';
import type { Program } from '../../programs/program.ts';
import type { CardFacts } from './card-facts.ts';
import type { TransactionRecord } from './transaction.ts';

/** When and under whose terms a message is applied. */
export interface Setting {
  program: Program;
  nowMs: number;
  today: Day;
}

export interface TransactionEvent {
  /** Also the id of the movement. */
  id: string;
  name:
    | 'authorization'
    | 'authorization.declined'
    | 'authorization.reversal'
    | 'authorization.clearing'
    | 'authorization.expired'
    | 'refund';
  data: Record<string, unknown>;
}

/** All that one message does. Whatever is absent stays as it was. */
export interface Outcome<Answer> {
  answer: Answer;
  /** The card as it is afterwards. */
  card?: CardFacts;
  /** The card was blocked by this message. */
  blocks?: boolean;
  /** The transaction as it is afterwards. */
  transaction?: TransactionRecord;
  event?: TransactionEvent;
  transfers: Transfer[];
}
