import { readConfig } from '../config.ts';
import { listEndpoints } from '../events/endpoint-queries.ts';
import type { Endpoint } from '../events/event.ts';
import { invalid } from '../kernel/error.ts';
import { createAddressRules } from '../outbound/address-rules.ts';
import { createSender } from '../outbound/send-request.ts';
import type { Actor } from '../programs/actor.ts';
import type { Program } from '../programs/program.ts';
import type { Runtime } from '../runtime.ts';
import { openVault } from '../vault/vault.ts';
import type { EndpointServices } from '../webhooks/manage-endpoints.ts';
import { missing } from './failure.ts';
import { selectActor } from './select.ts';
import type { Session } from './session.ts';
import type { Output } from './terminal.ts';

/** Opens the services for the selected program. */
export const run = (
  session: Session,
  wanted: string | undefined,
  work: (services: EndpointServices, actor: Actor) => Promise<Output>,
): Promise<void> =>
  session.run(async ({ db, masters }: Runtime) => {
    const actor = await selectActor(db, wanted);
    const keeper = await openVault(db, masters);
    const sender = createSender(createAddressRules(readConfig(session.terminal.env).webhookAddresses));
    return work({ db, keeper, sender }, actor).finally(sender.closeAgents);
  });

export async function selectEndpoint(
  { db }: EndpointServices,
  program: Program,
  wanted: string,
): Promise<Endpoint> {
  const endpoints = await listEndpoints(db, program.id);
  const found = endpoints.filter(({ id, url }) => id === wanted || url === wanted);
  if (found.length > 1) throw invalid('endpoint', 'several endpoints have this URL; use the endpoint id');
  if (!found[0]) throw missing(`webhook endpoint "${wanted}"`, 'see "emboss webhook list"');
  return found[0];
}
