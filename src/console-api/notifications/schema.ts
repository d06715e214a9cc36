import { Type } from 'typebox';
import { nullable } from '../../http/schemas.ts';
import { KIND_NAMES } from '../../notifications/notification.ts';
import { text, timestamp } from '../console-schema.ts';

export const MOST_SHOWN = 50;

const Notification = Type.Object(
  {
    id: text,
    kind: Type.Enum(KIND_NAMES),
    subject: Type.String({
      description: 'The id of a webhook endpoint, or the kind of a decision endpoint.',
    }),
    title: text,
    text,
    opened: timestamp(),
    closed: nullable(timestamp('Null: the condition still holds.')),
    isRead: Type.Boolean(),
  },
  { title: 'Notification' },
);
export const Notifications = Type.Object(
  {
    unread: Type.Integer({ description: 'Of those in the list.' }),
    notifications: Type.Array(Notification, {
      description: `Open ones first, then those of the last 30 days; at most ${MOST_SHOWN}.`,
    }),
  },
  { title: 'Notifications' },
);
export const ReadRequest = Type.Object(
  { ids: Type.Array(Type.String({ maxLength: 64 }), { maxItems: MOST_SHOWN * 2 }) },
  { title: 'NotificationsReadRequest' },
);
