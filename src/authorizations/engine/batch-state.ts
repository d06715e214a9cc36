import type { CardFacts } from '../../cards/card-facts.ts';
import type { NewEvent } from '../../events/event.ts';
import type { Transfer } from '../../ledger/transfer.ts';
import type { EvaluatedAttempt, ProgramRules } from '../../rules/rule.ts';
import type { AuthenticationFacts } from '../core/authentication.ts';
import type { Setting } from '../core/effects.ts';
import type { Message } from '../core/message.ts';
import type { Presentment } from '../core/presentment.ts';
import type { Counted } from '../core/spending.ts';
import type { TransactionRecord } from '../core/transaction.ts';
import type { MessageRecord, RecordKind } from './queries.ts';

/** A message, the cards that it touches and the transactions that it names. */
export interface BatchItem {
  message: Message;
  cardIds: readonly string[];
  transactionIds: readonly string[];
  /** By `performance.now()`. After this time the message is not decided any more. */
  deadline: number;
  /** The rules of the program when it was submitted, and its clock. Absent: it had none. */
  known?: { rules: ProgramRules; clockOffsetMs: number } | undefined;
}

/** The running state of a batch: rows read from the database, with the changes of the messages applied so far. */
export interface BatchState {
  setting: Setting;
  cards: Map<string, CardFacts>;
  transactions: Map<string, TransactionRecord>;
  /** Transactions that a message record names and that were not found: their month was archived. */
  missing: ReadonlySet<string>;
  /** Of transactions to recount: how they would count if the velocities of now had always been there. */
  replayed: ReadonlyMap<string, readonly Counted[]>;
  messages: Map<string, MessageRecord>;
  /** The clearings and refunds that are reversed, by kind and id. */
  presentments: Map<string, Presentment>;
  /** The clearings with the references of acquirers that clearings of the batch name. */
  presentedArns: Presentment[];
  /** The authentications that authorizations name and raised purchases use, by id. */
  authentications: Map<string, AuthenticationFacts>;
  /** Undefined if the program neither enforces it nor has an alert on it. */
  masterMinor: bigint | undefined;
  alertSent: boolean;
  changed: Changes;
}

/** The changes to write. */
interface Changes {
  cards: Set<string>;
  newTransactions: Set<string>;
  transactions: Set<string>;
  newMessages: Set<string>;
  /** As they were read. */
  filledMessages: Map<string, MessageRecord>;
  newPresentments: Set<string>;
  /** As they were read. */
  presentments: Map<string, Presentment>;
  authenticationUses: Array<{ authenticationId: string; transactionId: string }>;
  /** The cards to block, in their state before. */
  blocked: Map<string, CardFacts>;
  events: NewEvent[];
  /** The attempts for which rules were evaluated. */
  evaluated: EvaluatedAttempt[];
  transfers: Transfer[];
}

export const noChanges = (): Changes => ({
  cards: new Set(),
  newTransactions: new Set(),
  transactions: new Set(),
  newMessages: new Set(),
  filledMessages: new Map(),
  newPresentments: new Set(),
  presentments: new Map(),
  authenticationUses: [],
  blocked: new Map(),
  events: [],
  evaluated: [],
  transfers: [],
});

export const keyOf = (kind: RecordKind | Presentment['kind'], messageId: string): string =>
  `${kind}/${messageId}`;

export function cardOf(state: BatchState, cardId: string): CardFacts {
  const card = state.cards.get(cardId);
  if (!card) throw new Error(`the facts of card ${cardId} were not read`);
  return card;
}

/** Updates a record that the database has; inserts any other. */
export function setRecord({ messages, changed }: BatchState, record: MessageRecord): void {
  const key = keyOf(record.kind, record.messageId);
  const before = messages.get(key);
  if (!before) changed.newMessages.add(key);
  else if (!changed.newMessages.has(key) && !changed.filledMessages.has(key))
    changed.filledMessages.set(key, before);
  messages.set(key, record);
}
