import { audit } from '../../audit/audit.ts';
import { badRequest, Message, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { invalid, notFound } from '../../kernel/error.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { isCleanText, isReadableText } from '../../kernel/text.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { lockProgram } from '../../programs/queries.ts';
import { operatorOf } from '../confirm-request.ts';
import type { QueryServices } from '../services.ts';
import { deleteView, listViews, saveView } from './queries.ts';
import { MOST_VIEWS, SavedViewRequest, SavedViews, ViewPath, ViewsQuery } from './schema.ts';

const VIEWER = { role: 'viewer' } as const satisfies Access;
const EXAMPLE = {
  views: [
    {
      id: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f',
      name: 'Declined this week',
      search: 'status=DECLINED&created=7d',
      columns: ['merchant', 'amount'],
    },
  ],
};

/** The views of lists that the operator saved in this program. */
export function viewRoutes(app: App, { db }: Pick<QueryServices, 'db'>): void {
  app.get(
    '/views/',
    {
      config: VIEWER,
      schema: {
        operationId: 'consoleListViews',
        summary: 'List your saved views of a list',
        querystring: ViewsQuery,
        response: {
          200: success(SavedViews, 'Your views', EXAMPLE),
          ...badRequest([400, 'list: must be one of cards, transactions, webhook-events']),
        },
      },
    },
    async (request) => {
      const { program } = actorOf(request);
      const operatorId = operatorOf(request).id;
      return { views: await listViews(db, { programId: program.id, operatorId, list: request.query.list }) };
    },
  );

  app.put(
    '/views/',
    {
      config: VIEWER,
      schema: {
        operationId: 'consoleSaveView',
        summary: 'Save a view of a list',
        description: `Replaces your view with the same name. You can have ${MOST_VIEWS} views of each list.`,
        body: SavedViewRequest,
        response: {
          200: success(SavedViews, 'Your views of this list', EXAMPLE),
          ...badRequest([400, `name: you can have at most ${MOST_VIEWS} views of a list; delete one first`]),
        },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { list, search, columns } = request.body;
      const name = request.body.name.trim();
      if (name === '' || !isReadableText(name)) throw invalid('name', 'must be readable text');
      if (![search, ...columns].every(isCleanText))
        throw invalid('search', 'must not contain control characters');
      const of = { programId: actor.program.id, operatorId: operatorOf(request).id, list };
      return db.transaction(async (tx) => {
        // The lock keeps concurrent requests within the limit.
        await lockProgram(tx, actor.program.id);
        await saveView(
          tx,
          of,
          { id: newId(actor.realNow()), name, search, columns },
          new Date(actor.realNow()),
        );
        const views = await listViews(tx, of);
        if (views.length > MOST_VIEWS)
          throw invalid('name', `you can have at most ${MOST_VIEWS} views of a list; delete one first`);
        await audit(tx, actor, 'console.saved_view', { after: { list, name } });
        return { views };
      });
    },
  );

  app.delete(
    '/views/:viewId/',
    {
      config: VIEWER,
      schema: {
        operationId: 'consoleDeleteView',
        summary: 'Delete a saved view',
        params: ViewPath,
        response: {
          200: success(Message, 'Deleted', { message: 'View deleted' }),
          ...badRequest([400, 'host: is required']),
        },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { viewId } = request.params;
      if (!isId(viewId)) throw notFound();
      await db.transaction(async (tx) => {
        if (!(await deleteView(tx, actor.program.id, operatorOf(request).id, viewId))) throw notFound();
        await audit(tx, actor, 'console.deleted_view', { after: { viewId } });
      });
      return { message: 'View deleted' };
    },
  );
}
