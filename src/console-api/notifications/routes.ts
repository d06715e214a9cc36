import type { Static } from 'typebox';
import type { Queryable } from '../../db/database.ts';
import { badRequest, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import { isId } from '../../kernel/ids.ts';
import { chainsOf, kindsFor, linkOf, textOf, titleOf } from '../../notifications/notification.ts';
import { listPreferences } from '../../notifications/preference-queries.ts';
import { channelsOf } from '../../notifications/preferences.ts';
import { insertReads, type ListedNotification, listNotifications } from '../../notifications/queries.ts';
import type { Operator } from '../../operators/operator.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { operatorOf } from '../confirm-request.ts';
import { type NotificationServices, preferenceRoutes } from './preferences/routes.ts';
import { MOST_SHOWN, Notifications, ReadRequest } from './schema.ts';

const VIEWER = { role: 'viewer' } as const satisfies Access;
const SHOWN_MS = 30 * 86_400_000;
const EXAMPLE: Static<typeof Notifications> = {
  unread: 1,
  notifications: [
    {
      id: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f',
      kind: 'webhook_endpoint',
      title: 'Webhook endpoint shop.example is failing',
      text: 'No event was delivered for five minutes. Each one is retried for three days.',
      link: '/console/programs/019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5e/webhooks?endpoint=019a85f2-7c1e-7001-9f3e-5a1c2b3d4e60&state=undelivered',
      opened: '2026-11-15T08:32:00+0000',
      closed: null,
      isRead: false,
    },
  ],
};

/** What needs attention in a program, and for operators of all programs in the installation. */
export function notificationRoutes(app: App, services: NotificationServices): void {
  const { db } = services;
  preferenceRoutes(app, services);
  app.get(
    '/notifications/',
    {
      config: VIEWER,
      schema: {
        operationId: 'consoleListNotifications',
        summary: 'List notifications',
        response: { 200: success(Notifications, 'Your notifications', EXAMPLE) },
      },
    },
    async (request) => read(db, actorOf(request).program.id, operatorOf(request)),
  );

  app.put(
    '/notifications/read/',
    {
      config: VIEWER,
      schema: {
        operationId: 'consoleReadNotifications',
        summary: 'Mark notifications as read',
        description: 'For you only.',
        body: ReadRequest,
        response: {
          200: success(Notifications, 'Your notifications', { ...EXAMPLE, unread: 0 }),
          ...badRequest([400, 'ids: is required']),
        },
      },
    },
    async (request) => {
      const operator = operatorOf(request);
      const { id } = actorOf(request).program;
      const ids = request.body.ids.filter(isId);
      for (const chain of chainsOf(id, operator)) await insertReads(db, chain, operator.id, ids);
      return read(db, id, operator);
    },
  );
}

async function read(db: Queryable, programId: string, operator: Operator) {
  const chosen = await listPreferences(db, operator.id);
  const kinds = kindsFor(operator).filter((kind) => channelsOf(chosen, kind).includes('bell'));
  const lists = await Promise.all(
    chainsOf(programId, operator).map((chain) =>
      listNotifications(db, chain, operator.id, kinds, SHOWN_MS, MOST_SHOWN),
    ),
  );
  const notifications = lists
    .flat()
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, MOST_SHOWN)
    .map((listed) => present(listed, programId));
  return { unread: notifications.filter(({ isRead }) => !isRead).length, notifications };
}

/** Sorts stably: each list is in order already. */
const rank = ({ closedAt }: ListedNotification): number => (closedAt === null ? 0 : 1);

const present = (listed: ListedNotification, programId: string) => ({
  id: listed.id,
  kind: listed.kind,
  title: titleOf(listed),
  text: textOf(listed),
  link: linkOf(listed, programId),
  opened: formatTimestamp(listed.openedAt),
  closed: listed.closedAt && formatTimestamp(listed.closedAt),
  isRead: listed.isRead,
});
