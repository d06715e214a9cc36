import { Type } from 'typebox';
import { nullable } from '../../http/schemas.ts';
import { KIND_NAMES } from '../../notifications/notification.ts';
import { CHANNELS } from '../../notifications/preferences.ts';
import { text, timestamp } from '../console-schema.ts';

export const MOST_SHOWN = 50;

const Notification = Type.Object(
  {
    id: text,
    kind: Type.Enum(KIND_NAMES),
    title: text,
    text,
    link: Type.String({ description: 'The page about it, without the host.' }),
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

const channels = Type.Array(Type.Enum(CHANNELS), {
  maxItems: CHANNELS.length,
  description: 'Where you learn of this kind; empty: nowhere.',
});
const kind = Type.Enum(KIND_NAMES);
export const Preferences = Type.Object(
  {
    email: nullable(text, 'The address to which e-mail goes. Null: this server has no mail server.'),
    webhook: nullable(text, 'The URL of your webhook.'),
    kinds: Type.Array(Type.Object({ kind, label: text, description: text, channels })),
  },
  { title: 'NotificationPreferences' },
);
export const PreferencesRequest = Type.Object(
  { kinds: Type.Array(Type.Object({ kind, channels }), { maxItems: KIND_NAMES.length }) },
  { title: 'NotificationPreferencesRequest' },
);
export const WebhookRequest = Type.Object(
  { url: Type.String({ description: 'As for webhook endpoints, https and public in a live program.' }) },
  { title: 'NotificationWebhookRequest' },
);
export const NewWebhook = Type.Object(
  { url: text, secret: Type.String({ description: 'Verifies the signature of each request. Shown once.' }) },
  { title: 'NewNotificationWebhook' },
);
export const TestRequest = Type.Object(
  { channel: Type.Enum(['email', 'webhook']) },
  { title: 'NotificationTestRequest' },
);
export const TestAnswer = Type.Object(
  { error: nullable(text, 'Why it did not arrive. Null: it was accepted.') },
  { title: 'NotificationTest' },
);
