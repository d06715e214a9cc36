import { Type } from 'typebox';
import { badRequest, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { dayOf } from '../../kernel/calendar.ts';
import { countRange, filterPage, MOST_COUNTED_OVER } from '../../lists/filter-list.ts';
import { schemasOf } from '../../lists/filters.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { PAGE_SIZE } from '../console-schema.ts';
import { exportBusy, type StartExport } from '../export-slots.ts';
import type { QueryServices } from '../services.ts';
import { CARDS } from './cards.ts';
import { EVENTS } from './events.ts';
import { exportList, MOST_IDS } from './export-list.ts';
import { columnsOf } from './export-queries.ts';
import { type ConsoleList, recordsMatching } from './list.ts';
import { ListCount, ListQuery, pageEnd, presentEnd, RangeQuery, readRange } from './range.ts';
import { TRANSACTIONS } from './transactions.ts';

const VIEWER = { role: 'viewer' } as const satisfies Access;

/** The lists with filters: a page, the number of all that match, and all of them as a file. */
export function listRoutes(app: App, services: QueryServices, startExport: StartExport): void {
  for (const list of [CARDS, TRANSACTIONS, EVENTS]) {
    pageRoute(app, services, list);
    countRoute(app, services, list);
    exportRoute(app, services, startExport, list);
  }
}

function pageRoute(app: App, services: QueryServices, list: ConsoleList): void {
  const { name, filters, refusal, row, example } = list;
  const Found = Type.Object({ results: Type.Array(row), ...pageEnd }, { title: `Found${name}` });
  app.get(
    `/${list.path}/`,
    {
      config: VIEWER,
      schema: {
        operationId: `consoleFind${name}`,
        summary: `Find ${words(list)}`,
        description:
          'Newest first by default. A request searches a limited number of records: a short or empty page does not mean that there are no more results. Continue while `next` is not null.',
        querystring: Type.Object({ ...schemasOf(filters), ...ListQuery }),
        response: {
          200: success(Found, 'Matching records', { results: [example], next: null, searchedTo: null }),
          ...badRequest([400, refusal]),
        },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const matching = recordsMatching(list, services, actor, request.query);
      const range = readRange(actor.program.id, request.query);
      const { ids, next } = await filterPage(services.db, matching, range, PAGE_SIZE);
      const results = ids.length === 0 ? [] : await list.read(services, actor, ids);
      return { results, ...presentEnd(next) } as never;
    },
  );
}

function countRoute(app: App, services: QueryServices, list: ConsoleList): void {
  app.get(
    `/${list.path}/count/`,
    {
      config: VIEWER,
      schema: {
        operationId: `consoleCount${list.name}`,
        summary: `Count ${words(list)}`,
        querystring: Type.Object({ ...schemasOf(list.filters), ...RangeQuery }),
        response: {
          200: success(ListCount, 'The number of matching records', { count: 1, isExact: true }),
          ...badRequest([400, list.refusal]),
        },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const matching = recordsMatching(list, services, actor, request.query);
      const range = readRange(actor.program.id, request.query);
      return countRange(services.db, matching, range, MOST_COUNTED_OVER);
    },
  );
}

function exportRoute(app: App, services: QueryServices, startExport: StartExport, list: ConsoleList): void {
  const columns = Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: `Columns, separated by commas. Default: ${columnsOf(list.path).join(',')}.`,
    }),
  );
  const ids = Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 37 * MOST_IDS,
      description: `Only these records: at most ${MOST_IDS} ids, separated by commas.`,
    }),
  );
  app.get(
    `/${list.path}/export/`,
    {
      config: {
        role: 'support',
        audit: {
          action: list.exported,
          fields: [...Object.keys(list.filters), ...Object.keys(RangeQuery), 'columns', 'ids'],
          ifAnswered: true,
        },
      } satisfies Access,
      // Fastify's automatic HEAD route would read all rows.
      exposeHeadRoute: false,
      schema: {
        operationId: `consoleExport${list.name}`,
        summary: `Export ${words(list)} as CSV`,
        description: 'All matching records. An operator can have one export in progress.',
        querystring: Type.Object({ ...schemasOf(list.filters), ...RangeQuery, columns, ids }),
        response: {
          200: { description: 'A CSV file', content: { 'text/csv': { schema: Type.String() } } } as never,
          ...exportBusy,
          ...badRequest([400, 'columns: must be some of card_id, created, each once']),
        },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const day = dayOf(actor.now());
      reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="emboss-${list.path}-${day}.csv"`);
      return reply.send(
        (await exportList(services, startExport, list, actor, request.query)) as never,
      ) as never;
    },
  );
}

const words = ({ path }: ConsoleList): string => path.replace('-', ' ');
