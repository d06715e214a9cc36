import { deepStrictEqual as deepEqual } from 'node:assert';
import { type DecisionNeeded, isDecisionNeeded } from '../../../src/authorizations/core/decision-request.ts';
import type { Message } from '../../../src/authorizations/core/message.ts';
import type { AnyResponse } from '../../../src/authorizations/core/response.ts';
import { heldFees, type TransactionRecord } from '../../../src/authorizations/core/transaction.ts';
import { applyMessage } from '../../../src/authorizations/engine/apply-message.ts';
import { type BatchState, keyOf, noChanges } from '../../../src/authorizations/engine/batch-state.ts';
import type { CardFacts } from '../../../src/cards/card-facts.ts';
import type { NewEvent } from '../../../src/events/event.ts';
import { dayOf } from '../../../src/kernel/calendar.ts';
import { EmbossError } from '../../../src/kernel/error.ts';
import { ACCOUNTS } from '../../../src/ledger/accounts.ts';
import type { Transfer } from '../../../src/ledger/transfer.ts';
import type { Program } from '../../../src/programs/program.ts';
import type { ProgramRules } from '../../../src/rules/rule.ts';
import type { MemoryCounters } from '../../../src/rules/velocity/memory-counters.ts';
import { type Subjects, subjectsOf } from '../../../src/rules/velocity/subjects.ts';
import { type ModelCard, type Suspense, sum } from '../../model/card.ts';
import { CARD_ID } from './authorization-facts.ts';

/**
 * The purchases of a card go through any sequence of messages under any terms, in the product's pure rules and in the model.
 * The product's side is the state of one endless batch.
 */
export interface World {
  program: Program;
  rules: ProgramRules | undefined;
  /** What the rules count. */
  counting: MemoryCounters | undefined;
  nowMs: number;
  state: BatchState;
  /** The network's id of the purchase that the next messages are about. */
  current: string;
  /** Messages so far, for their ids. */
  sent: number;
  model: ModelCard;
  suspense: Suspense;
  /** Every account, from the transfers alone. */
  balances: Map<string, bigint>;
  /** The books of a merchant that knows events alone: what each transaction takes, by its newest event. */
  books: Map<unknown, bigint>;
  /** The messages for which decisions were requested, by the ids of the requests. */
  requests: Map<string, string>;
  /** The newest message with a response. */
  newest: { request: NetworkRequest; response: AnyResponse } | undefined;
  /** The cases that the life has reached. */
  seen: Set<string>;
}

/** In the world, which has the ids of transactions, its own id is that of the network. */
export const ELSEWHERE = 'net-elsewhere';

export const cardIn = ({ state }: World): CardFacts => state.cards.get(CARD_ID) as CardFacts;

/** The transaction of the network's id: a purchase or a credit. */
const transactionIn = ({ state }: World, id: string): TransactionRecord | undefined =>
  state.transactions.get(state.messages.get(keyOf('transaction', id))?.transactionId ?? '');

export const purchaseIn = (world: World): TransactionRecord | undefined =>
  transactionIn(world, world.current);

export const transactionsIn = ({ state }: World, kind: TransactionRecord['kind']): TransactionRecord[] =>
  [...state.transactions.values()].filter((each) => each.kind === kind && each.id !== ELSEWHERE);

const holdOf = (transaction: TransactionRecord): bigint => {
  const { fxMinor, atmMinor } = heldFees(transaction);
  return transaction.heldMinor + fxMinor + atmMinor;
};
export const holdsIn = (world: World): bigint => sum(transactionsIn(world, 'purchase').map(holdOf));

export type NetworkRequest = Exclude<Message, { kind: 'expiry' | 'recount' }>;

/** What a message has changed. */
export interface Applied {
  kind: 'applied';
  response: AnyResponse;
  /** Its own event, and those of the refunds that it has linked. */
  event: NewEvent | undefined;
  links: NewEvent[];
  transfers: Transfer[];
  before: { card: CardFacts; holdsMinor: bigint };
}
export interface Refused {
  kind: 'refused';
  message: string;
}

const countedFor = (merchantId: string | null): Subjects => subjectsOf(CARD_ID, 'customer', merchantId);

/** What the rules count now. */
export function countingIn({ counting, state, nowMs }: World, merchantId: string | null = null) {
  if (!counting) return undefined;
  const merchants = [...state.transactions.values()].map(({ acceptor }) => acceptor?.id ?? null);
  for (const each of [...merchants, merchantId]) counting.moveTo(nowMs, countedFor(each));
  const of = ({ acceptor }: Pick<TransactionRecord, 'acceptor'>) => countedFor(acceptor?.id ?? null);
  return { counters: counting.counters, subjectsOf: of };
}

/** Applies a message as the engine does. Only one with a response changes the state. */
export function submit(world: World, request: Message): Applied | Refused | DecisionNeeded {
  const { state, program, rules, nowMs } = world;
  const before = { card: cardIn(world), holdsMinor: holdsIn(world) };
  const velocities = countingIn(world, 'acceptor' in request ? (request.acceptor?.id ?? null) : null);
  state.setting = { program, nowMs, today: dayOf(nowMs), rules, velocities };
  state.masterMinor = program.enforceMasterBalance ? world.balances.get(ACCOUNTS.master) : undefined;
  state.changed = noChanges();
  try {
    const result = applyMessage(state, request, undefined);
    if (isDecisionNeeded(result)) return result;
    if (result.kind !== 'response') throw new Error(result.kind);
    world.counting?.keep();
    const { events, transfers } = state.changed;
    const links = events.filter(({ eventName }) => eventName === 'transaction.updated');
    const [event, ...more] = events.filter((each) => !links.includes(each));
    deepEqual(more, []);
    return { kind: 'applied', response: result.response, event, links, transfers, before };
  } catch (error) {
    if (!(error instanceof EmbossError)) throw error;
    deepEqual(state.changed, noChanges());
    return { kind: 'refused', message: error.message };
  }
}
