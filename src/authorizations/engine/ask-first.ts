import type { CardHolder } from '../../cards/card.ts';
import { type AskMerchant, type DecisionEndpoint, withoutAnswer } from '../../decisions/decision.ts';
import { findDecisionEndpoint } from '../../decisions/queries.ts';
import { gather, type InTurn } from '../../kernel/gather.ts';
import type { Program } from '../../programs/program.ts';
import type { Asked } from '../rules/message.ts';
import { type Ask, isAsk } from '../rules/question.ts';
import { applyAlone, type BatchItem, type EngineServices, leftOf, readState } from './run-batch.ts';

/** Left for the commit after the answer. */
const COMMIT_MS = 500;
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
  const laneOf = (programId: string) => {
    const lane =
      lanes.get(programId) ??
      gather((items: BatchItem[]) => findAsks(services, programId, items), undefined, inTurn);
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
  programId: string,
  items: readonly BatchItem[],
): Promise<Asking[]> =>
  db.snapshot(
    async (tx) => {
      const [state, endpoint, holders] = await Promise.all([
        readState(tx, authentications, programId, items, 'none'),
        findDecisionEndpoint(tx, programId, 'authorization'),
        vault.openRecords(tx, programId, 'holder', [...new Set(items.flatMap(({ cardIds }) => cardIds))]),
      ]);
      const { program } = state.setting;
      const asks: Array<Ask['ask'] | undefined> = [];
      for (const { message } of items) {
        const result = await applyAlone(vault, tx, state, message);
        asks.push(isAsk(result) ? result.ask : undefined);
      }
      return asks.map((ask) => ({ ask: ask && withCustomer(ask, holders, endpoint), program, endpoint }));
    },
    { lockMs: 1_000, idleMs: 2_000, statementMs: leftOf(items) },
  );

function withCustomer(
  { question, ...ask }: Ask['ask'],
  holders: ReadonlyMap<string, unknown>,
  endpoint: DecisionEndpoint | undefined,
): Ask['ask'] {
  const { externalCustomerId } = holders.get(ask.cardId) as CardHolder;
  const data = {
    ...question.data,
    external_customer_id: externalCustomerId,
    timeout_ms: endpoint?.timeoutMs ?? null,
  };
  return { ...ask, question: { ...question, data } };
}
