import type { CardHolder } from '../../cards/card.ts';
import type { Tx } from '../../db/database.ts';
import { type DecisionEndpoint, type RequestDecision, withoutResponse } from '../../decisions/decision.ts';
import { findDecisionEndpoint } from '../../decisions/queries.ts';
import { gather, type InTurn } from '../../kernel/gather.ts';
import type { Program } from '../../programs/program.ts';
import type { Vault } from '../../vault/vault.ts';
import { type DecisionNeeded, isDecisionNeeded } from '../core/decision-request.ts';
import type { MerchantDecision } from '../core/message.ts';
import type { BatchItem } from './batch-state.ts';
import { readState } from './read-state.ts';
import { applySafely, type EngineServices, leftOf } from './run-batch.ts';

/** Left for the commit after the response. */
const COMMIT_MS = 500;
/** About 3 MB. */
const MOST_CUSTOMERS = 20_000;
/** A transaction keeps its mode, also if the program has changed its own mode and removed the endpoint. */
const NO_ENDPOINT = { onFailure: 'DECLINE', standIn: null } as const;

/** Where to request which decision. */
interface Addressed {
  needed: DecisionNeeded;
  program: Program;
  endpoint: DecisionEndpoint | undefined;
}

/**
 * Requests the merchant's decision before a message enters its batch: no lock, no connection and no other message waits
 * for the response. Undefined if none is needed, as it looks without locks.
 */
export function createDecisions(
  services: EngineServices & { requestDecision: RequestDecision },
  inTurn: InTurn,
): (programId: string, item: BatchItem) => Promise<MerchantDecision | undefined> {
  const lanes = new Map<string, (item: BatchItem) => Promise<Addressed | undefined>>();
  const customersOf = rememberCustomers(services.vault);
  const laneOf = (programId: string) => {
    const known = lanes.get(programId);
    if (known) return known;
    const find = (items: BatchItem[]) => findRequests(services, customersOf, programId, items);
    const lane = gather(find, undefined, inTurn);
    lanes.set(programId, lane);
    return lane;
  };
  return async (programId, item) => {
    const addressed = await laneOf(programId)(item);
    if (!addressed) return undefined;
    const { needed, program, endpoint } = addressed;
    const { mode, authenticated, request } = needed;
    const leftMs = item.deadline - performance.now() - COMMIT_MS;
    const response = endpoint
      ? await services.requestDecision(program, endpoint, request, leftMs)
      : withoutResponse('unreachable', null);
    const common = { mode, authenticated, response };
    return request.kind === 'balance'
      ? { ...common, amountMinor: 0n, rule: null }
      : { ...common, amountMinor: request.amountMinor, rule: endpoint ?? NO_ENDPOINT };
  };
}

/** Applies the messages to what is read without locks, and discards the effects. */
const findRequests = (
  { db, vault, ...services }: EngineServices,
  customersOf: CustomersOf,
  programId: string,
  items: readonly BatchItem[],
): Promise<Array<Addressed | undefined>> =>
  db.snapshot(
    async (tx) => {
      const [state, endpoint, customers] = await Promise.all([
        readState(tx, services, programId, items, 'none'),
        findDecisionEndpoint(tx, programId, 'authorization'),
        customersOf(tx, programId, [...new Set(items.flatMap(({ cardIds }) => cardIds))]),
      ]);
      const { program } = state.setting;
      const found: Array<Addressed | undefined> = [];
      for (const { message } of items) {
        const result = await applySafely(vault, tx, state, message);
        found.push(
          isDecisionNeeded(result)
            ? { needed: withCustomer(result, customers, endpoint), program, endpoint }
            : undefined,
        );
      }
      return found;
    },
    { lockMs: 1_000, idleMs: 2_000, statementMs: leftOf(items) },
  );

function withCustomer(
  needed: DecisionNeeded,
  customers: ReadonlyMap<string, string>,
  endpoint: DecisionEndpoint | undefined,
): DecisionNeeded {
  const { request, cardId } = needed;
  const more = { external_customer_id: customers.get(cardId), timeout_ms: endpoint?.timeoutMs ?? null };
  return { ...needed, request: { ...request, data: { ...request.data, ...more } } };
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
