import type { CardHolder } from '../../cards/card.ts';
import type { Tx } from '../../db/database.ts';
import { type AskMerchant, type DecisionEndpoint, withoutAnswer } from '../../decisions/decision.ts';
import { findDecisionEndpoint } from '../../decisions/queries.ts';
import { gather, type InTurn } from '../../kernel/gather.ts';
import type { Program } from '../../programs/program.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Asked } from '../core/message.ts';
import { type Ask, isAsk } from '../core/question.ts';
import { applyAlone, type BatchItem, type EngineServices, leftOf, readState } from './run-batch.ts';

/** Left for the commit after the answer. */
const COMMIT_MS = 500;
/** About 3 MB. */
const MOST_CUSTOMERS = 20_000;
/** No endpoint: a transaction keeps its mode, also when the program has changed its own and has removed the endpoint. */
const NO_ENDPOINT = { onFailure: 'DECLINE', standIn: null } as const;

/** What to ask, and where. Nothing where a guard declines. */
interface Asking {
  ask: Ask['ask'] | undefined;
  program: Program;
  endpoint: DecisionEndpoint | undefined;
}

export interface AskedFirst {
  /** Undefined if there was nothing to ask, as it looks without locks. */
  asked: Asked | undefined;
  program: Program;
}

/**
 * Asks the merchant before a message enters its batch: no lock, no connection and no other message waits for the answer.
 */
export function createAskFirst(
  services: EngineServices & { ask: AskMerchant },
  inTurn: InTurn,
): (programId: string, item: BatchItem) => Promise<AskedFirst> {
  const lanes = new Map<string, (item: BatchItem) => Promise<Asking>>();
  const customersOf = rememberCustomers(services.vault);
  const laneOf = (programId: string) => {
    const lane =
      lanes.get(programId) ??
      gather((items: BatchItem[]) => findAsks(services, customersOf, programId, items), undefined, inTurn);
    lanes.set(programId, lane);
    return lane;
  };
  return async (programId, item) => {
    const { ask, program, endpoint } = await laneOf(programId)(item);
    if (!ask) return { asked: undefined, program };
    const { mode, authenticated, question } = ask;
    const leftMs = item.deadline - performance.now() - COMMIT_MS;
    const answer = endpoint
      ? await services.ask(program, endpoint, question, leftMs)
      : withoutAnswer('unreachable', null);
    const rule = endpoint ?? NO_ENDPOINT;
    return { asked: { mode, amountMinor: question.amountMinor, authenticated, answer, rule }, program };
  };
}

/** Applies the messages to what is read without locks, and forgets the result. */
const findAsks = (
  { db, vault, authentications }: EngineServices,
  customersOf: CustomersOf,
  programId: string,
  items: readonly BatchItem[],
): Promise<Asking[]> =>
  db.snapshot(
    async (tx) => {
      const [state, endpoint, customers] = await Promise.all([
        readState(tx, authentications, programId, items, 'none'),
        findDecisionEndpoint(tx, programId, 'authorization'),
        customersOf(tx, programId, [...new Set(items.flatMap(({ cardIds }) => cardIds))]),
      ]);
      const { program } = state.setting;
      const asks: Array<Ask['ask'] | undefined> = [];
      for (const { message } of items) {
        const result = await applyAlone(vault, tx, state, message);
        asks.push(isAsk(result) ? result.ask : undefined);
      }
      return asks.map((ask) => ({ ask: ask && withCustomer(ask, customers, endpoint), program, endpoint }));
    },
    { lockMs: 1_000, idleMs: 2_000, statementMs: leftOf(items) },
  );

function withCustomer(
  { question, ...ask }: Ask['ask'],
  customers: ReadonlyMap<string, string>,
  endpoint: DecisionEndpoint | undefined,
): Ask['ask'] {
  const data = {
    ...question.data,
    external_customer_id: customers.get(ask.cardId),
    timeout_ms: endpoint?.timeoutMs ?? null,
  };
  return { ...ask, question: { ...question, data } };
}

type CustomersOf = (tx: Tx, programId: string, cardIds: readonly string[]) => Promise<Map<string, string>>;

/** The customer ids of cards. They never change, so each is decrypted once. */
function rememberCustomers(vault: Vault): CustomersOf {
  const known = new Map<string, string>();
  return async (tx, programId, cardIds) => {
    const found = new Map<string, string>();
    const unknown: string[] = [];
    for (const cardId of cardIds) {
      const customerId = known.get(cardId);
      if (customerId === undefined) unknown.push(cardId);
      else found.set(cardId, customerId);
    }
    if (unknown.length === 0) return found;
    const holders = await vault.openRecords(tx, programId, 'holder', unknown);
    if (known.size >= MOST_CUSTOMERS) known.clear();
    for (const cardId of unknown) {
      const { externalCustomerId } = holders.get(cardId) as CardHolder;
      known.set(cardId, externalCustomerId);
      found.set(cardId, externalCustomerId);
    }
    return found;
  };
}
