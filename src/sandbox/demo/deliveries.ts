import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { claimDeliveries } from '../../events/delivery-queries.ts';
import { EmbossError } from '../../kernel/error.ts';
import type { Actor } from '../../programs/actor.ts';
import { attemptDelivery } from '../../webhooks/attempt-delivery.ts';
import { addEndpoint, type EndpointServices, editEndpoint } from '../../webhooks/manage-endpoints.ts';
import { toOutcome } from '../../webhooks/outcome.ts';
import { recordOutcomes } from '../../webhooks/record-outcomes.ts';

const HOST = '127.0.0.1';
const AT_ONCE = 64;
const LEASE_MS = 60_000;
const HAS_NO_FILES = (): never => {
  throw new EmbossError(409, 'the demo requests no reports');
};

/**
 * A webhook endpoint on this machine, which exists as long as the demo is being made: the events from now on are delivered
 * to it. It is left paused, because then nothing listens there. Undefined if webhooks may not use this machine's addresses.
 */
export async function openReceiver(services: EndpointServices, actor: Actor) {
  if (!services.sender.addresses.sandbox.allows(HOST)) return undefined;
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('ok'));
  });
  await once(server.listen(0, HOST), 'listening');
  const url = `http://${HOST}:${(server.address() as AddressInfo).port}/webhooks`;
  const { endpoint, secret } = await addEndpoint(services, actor, { url, eventTypes: null });
  const { id, programId } = endpoint;
  const target = { programId, url, reach: 'sandbox' as const, secrets: [secret] };
  /** A server that runs meanwhile delivers too; each takes its own. */
  async function deliver(): Promise<number> {
    const claimed = await claimDeliveries(services.db, endpoint, AT_ONCE, LEASE_MS);
    const attempts = claimed.map(async (delivery) => {
      const startedAt = new Date();
      const result = await attemptDelivery(services.sender, target, delivery.event, HAS_NO_FILES);
      return toOutcome(id, delivery, startedAt, result);
    });
    if (claimed.length > 0) await recordOutcomes(services.db, programId, await Promise.all(attempts));
    return claimed.length;
  }
  return {
    deliverAll: async () => {
      while ((await deliver()) > 0);
    },
    close: async (actor: Actor) => {
      await editEndpoint(services, actor, id, { url, eventTypes: null, paused: true });
      server.close();
      server.closeAllConnections();
    },
  };
}
