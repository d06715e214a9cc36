import { audit } from '../audit/audit.ts';
import { localIdentity } from '../audit/entry.ts';
import type { Database, Tx } from '../db/database.ts';
import { insertAttempts, updateDeliveries } from '../events/delivery-queries.ts';
import { disableEndpoints, markAnswering, markFailing } from '../events/endpoint-queries.ts';
import type { Endpoint } from '../events/event.ts';
import { readActor } from '../programs/actor.ts';
import { presentEndpoint } from './endpoint.ts';
import type { Outcome } from './outcome.ts';

/** An endpoint that has received nothing for this long is disabled. */
const FAILING_LIMIT_MS = 5 * 86_400_000;

/** Writes the outcomes of many attempts together. Returns the endpoints that were disabled because of them. */
export const recordOutcomes = (
  db: Database,
  programId: string,
  outcomes: readonly Outcome[],
): Promise<Endpoint[]> =>
  db.transaction(async (tx) => {
    insertAttempts(
      tx,
      programId,
      outcomes.map(({ attempt }) => attempt),
    );
    updateDeliveries(
      tx,
      programId,
      outcomes.map(({ delivery }) => delivery),
    );
    const delivered = endpointsOf(outcomes, ({ delivery }) => delivery.status === 'DELIVERED');
    const gone = endpointsOf(outcomes, (outcome) => outcome.gone);
    const failing = endpointsOf(outcomes, ({ unsent }) => !unsent).filter((id) => !delivered.includes(id));
    if (delivered.length > 0) markAnswering(tx, programId, delivered);
    if (failing.length + gone.length === 0) return [];
    if (failing.length > 0) markFailing(tx, programId, failing);
    return disable(tx, programId, gone, failing);
  });

const endpointsOf = (outcomes: readonly Outcome[], which: (outcome: Outcome) => boolean): string[] => [
  ...new Set(outcomes.filter(which).map(({ delivery }) => delivery.endpointId)),
];

async function disable(tx: Tx, programId: string, gone: string[], failing: string[]): Promise<Endpoint[]> {
  const disabled = await disableEndpoints(tx, programId, gone, failing, FAILING_LIMIT_MS);
  if (disabled.length === 0) return [];
  const actor = await readActor(tx, localIdentity('system:webhooks'), programId);
  for (const endpoint of disabled)
    await audit(tx, actor, 'webhook_endpoint.disabled', {
      before: presentEndpoint({ ...endpoint, status: 'ENABLED', statusReason: null }),
      after: presentEndpoint(endpoint),
    });
  return disabled;
}
