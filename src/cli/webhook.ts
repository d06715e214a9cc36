import type { Command } from 'commander';
import { listEndpoints } from '../events/endpoint-queries.ts';
import type { Endpoint } from '../events/event.ts';
import { EVENT_TYPES } from '../events/names.ts';
import { reveal } from '../kernel/secret.ts';
import { presentEndpoint } from '../webhooks/endpoint.ts';
import {
  addEndpoint,
  enableEndpoint,
  removeEndpoint,
  rotateSecret,
  type WithSecret,
} from '../webhooks/manage-endpoints.ts';
import { testEndpoint } from '../webhooks/test-endpoint.ts';
import { PROGRAM } from './select.ts';
import type { Session } from './session.ts';
import { details, moment, type Output, type Terminal, table } from './terminal.ts';
import { namesOf } from './values.ts';
import { webhookEventCommands } from './webhook-events.ts';
import { run, selectEndpoint } from './webhook-session.ts';

const ENDPOINT = ['<endpoint>', 'id or URL of the endpoint'] as const;

export function webhookCommands(emboss: Command, session: Session): void {
  const group = emboss.command('webhook').description("Webhook endpoints: where a program's events are sent");
  group
    .command('add')
    .description('Add an endpoint; its secret is shown only once')
    .argument('<url>', 'URL that receives the events')
    .option(...PROGRAM)
    .option('--events <types...>', `only these event types: ${EVENT_TYPES.join(', ')}`, namesOf(EVENT_TYPES))
    .action((url, { program, events = null }) =>
      run(session, program, async (services, actor) =>
        withSecret('Added an endpoint.', await addEndpoint(services, actor, { url, eventTypes: events })),
      ),
    );
  group
    .command('list')
    .description('List the endpoints of a program')
    .option(...PROGRAM)
    .action(({ program }) =>
      run(session, program, async ({ db }, actor) =>
        endpointList(session.terminal, await listEndpoints(db, actor.program.id)),
      ),
    );
  group
    .command('remove')
    .description('Remove an endpoint; no more events are sent to it')
    .argument(...ENDPOINT)
    .option(...PROGRAM)
    .action((wanted, { program }) =>
      run(session, program, async (services, actor) => {
        const endpoint = await selectEndpoint(services, actor.program, wanted);
        await removeEndpoint(services, actor, endpoint.id);
        return { json: presentEndpoint(endpoint), text: `Removed ${endpoint.url}.` };
      }),
    );
  group
    .command('rotate')
    .description('Create a new secret; for 24 hours deliveries are signed with both')
    .argument(...ENDPOINT)
    .option(...PROGRAM)
    .action((wanted, { program }) =>
      run(session, program, async (services, actor) => {
        const { id } = await selectEndpoint(services, actor.program, wanted);
        const rotated = await rotateSecret(services, actor, id);
        return withSecret(
          `Deliveries are also signed with the old secret until ${moment(rotated.previousSignsUntil, '')}.`,
          rotated,
        );
      }),
    );
  group
    .command('enable')
    .description('Enable an endpoint that was disabled')
    .argument(...ENDPOINT)
    .option(...PROGRAM)
    .action((wanted, { program }) =>
      run(session, program, async (services, actor) => {
        const { id } = await selectEndpoint(services, actor.program, wanted);
        const endpoint = await enableEndpoint(services, actor, id);
        return { json: presentEndpoint(endpoint), text: `Enabled ${endpoint.url}.` };
      }),
    );
  group
    .command('test')
    .description('Send a test event now and show the response; exit code 1 unless it is a 2xx')
    .argument(...ENDPOINT)
    .option(...PROGRAM)
    .action((wanted, { program }) =>
      run(session, program, async (services, actor) => {
        const { id, url } = await selectEndpoint(services, actor.program, wanted);
        const result = await testEndpoint(services, actor, id);
        session.exitCode = result.delivered ? 0 : 1;
        const answer = result.error ?? result.statusCode;
        const verb = result.delivered ? 'Delivered to' : 'Not delivered to';
        return { json: result, text: `${verb} ${url} in ${result.durationMs} ms: ${answer}` };
      }),
    );
  webhookEventCommands(group, session);
}

function withSecret(title: string, { endpoint, secret }: WithSecret): Output {
  const pairs: Array<[string, string]> = [
    ['id', endpoint.id],
    ['url', endpoint.url],
    ['events', endpoint.eventTypes?.join(', ') ?? 'all'],
    ['secret', reveal(secret)],
  ];
  return {
    json: { ...presentEndpoint(endpoint), secret: reveal(secret) },
    text: `${title}
${details(pairs)}
Save the secret now: it is shown only once.`,
  };
}

function endpointList(terminal: Terminal, endpoints: Endpoint[]): Output {
  const rows = endpoints.map(({ id, url, eventTypes, status, statusReason, createdAt }) => [
    id,
    url,
    eventTypes?.join(',') ?? 'all',
    statusReason ? `${status} (${statusReason})` : status,
    moment(createdAt, ''),
  ]);
  const names = ['ID', 'URL', 'EVENTS', 'STATUS', 'CREATED'];
  return {
    json: { webhookEndpoints: endpoints.map(presentEndpoint) },
    text: table(terminal, names, rows, 'The program has no webhook endpoints yet.'),
  };
}
