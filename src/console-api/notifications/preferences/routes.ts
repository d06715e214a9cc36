import { audit } from '../../../audit/audit.ts';
import { badRequest, Message, refusal, success } from '../../../http/schemas.ts';
import type { App } from '../../../http/server.ts';
import { EmbossError } from '../../../kernel/error.ts';
import { newId } from '../../../kernel/ids.ts';
import { reveal } from '../../../kernel/secret.ts';
import { countInWindows } from '../../../kernel/window-counts.ts';
import { testMessage } from '../../../notifications/compose.ts';
import type { Mailer } from '../../../notifications/mailer.ts';
import { removeWebhook, setWebhook } from '../../../notifications/manage-webhook.ts';
import { kindsFor } from '../../../notifications/notification.ts';
import { findWebhook, listPreferences, savePreferences } from '../../../notifications/preference-queries.ts';
import { presentPreferences } from '../../../notifications/preferences.ts';
import { sendMessage } from '../../../notifications/send-message.ts';
import type { Operator } from '../../../operators/operator.ts';
import type { Sender } from '../../../outbound/send-request.ts';
import type { Access } from '../../../programs/access.ts';
import { actorOf } from '../../../programs/actor.ts';
import { operatorOf } from '../../confirm-request.ts';
import type { QueryServices } from '../../services.ts';
import {
  NewWebhook,
  Preferences,
  PreferencesRequest,
  TestAnswer,
  TestRequest,
  WebhookRequest,
} from '../schema.ts';

export interface NotificationServices extends QueryServices {
  sender: Sender;
  notifications: { mailer: Mailer | undefined; publicUrl: string };
}

const VIEWER = { role: 'viewer' } as const satisfies Access;
const MOST_TESTS = 10;
const MOST_OPERATORS = 10_000;
const NOWHERE = { email: 'this server has no mail server', webhook: 'you have no webhook yet' };
const EXAMPLE = {
  email: 'ada@example.com',
  webhook: 'https://chat.example/hooks/42',
  kinds: [
    {
      kind: 'webhook_endpoint',
      label: 'Failing webhook endpoint',
      description: 'No event was delivered to an endpoint for five minutes, or Emboss disabled it.',
      channels: ['bell', 'email'],
    },
  ],
};

/** Where operators learn of notifications: their own choice, the same in all their programs. */
export function preferenceRoutes(app: App, services: NotificationServices): void {
  const { db, vault: keeper, sender, notifications } = services;
  const tests = countInWindows(60_000, MOST_OPERATORS);
  const read = async (operator: Operator) => {
    const [chosen, webhook] = await Promise.all([
      listPreferences(db, operator.id),
      findWebhook(db, operator.id),
    ]);
    return {
      email: notifications.mailer ? operator.email : null,
      webhook: webhook?.url ?? null,
      kinds: presentPreferences(chosen, kindsFor(operator)),
    };
  };

  app.get(
    '/notifications/preferences/',
    {
      config: VIEWER,
      schema: {
        operationId: 'consoleNotificationPreferences',
        summary: 'Where you learn of notifications',
        response: { 200: success(Preferences, 'Your choices', EXAMPLE) },
      },
    },
    async (request) => read(operatorOf(request)),
  );

  app.put(
    '/notifications/preferences/',
    {
      config: { ...VIEWER, audit: { action: 'console.chose_notifications', fields: ['kinds'] } },
      schema: {
        operationId: 'consoleChooseNotifications',
        summary: 'Choose where you learn of notifications',
        description: 'Kinds that are left out stay as they are. Valid in all your programs.',
        body: PreferencesRequest,
        response: {
          200: success(Preferences, 'Your choices', EXAMPLE),
          ...badRequest([400, 'kinds: is required']),
        },
      },
    },
    async (request) => {
      const operator = operatorOf(request);
      await savePreferences(db, operator.id, request.body.kinds);
      return read(operator);
    },
  );

  app.put(
    '/notifications/webhook/',
    {
      config: VIEWER,
      schema: {
        operationId: 'consoleSetNotificationWebhook',
        summary: 'Set your webhook for notifications',
        description: 'Replaces an earlier one. The new secret is shown once.',
        body: WebhookRequest,
        response: {
          200: success(NewWebhook, 'Your webhook', { url: EXAMPLE.webhook, secret: 'whsec_…' }),
          ...badRequest([400, 'url: must begin with https:// in a live program']),
        },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { mode } = actor.program;
      const set = await setWebhook(
        { db, keeper, sender },
        operatorOf(request).id,
        { url: request.body.url, mode },
        // A path may contain a secret.
        (tx) =>
          audit(tx, actor, 'console.set_notification_webhook', {
            after: { host: new URL(request.body.url).host },
          }),
      );
      return { url: set.url, secret: reveal(set.secret) };
    },
  );

  app.delete(
    '/notifications/webhook/',
    {
      config: VIEWER,
      schema: {
        operationId: 'consoleRemoveNotificationWebhook',
        summary: 'Remove your webhook for notifications',
        response: { 200: success(Message, 'Removed', { message: 'Webhook removed' }) },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      await db.transaction(async (tx) => {
        await removeWebhook(keeper, tx, operatorOf(request).id);
        await audit(tx, actor, 'console.removed_notification_webhook');
      });
      return { message: 'Webhook removed' };
    },
  );

  app.post(
    '/notifications/test/',
    {
      config: { ...VIEWER, audit: { action: 'console.tested_notifications', fields: ['channel'] } },
      schema: {
        operationId: 'consoleTestNotification',
        summary: 'Send yourself a test notification',
        body: TestRequest,
        response: {
          200: success(TestAnswer, 'The attempt', { error: null }),
          ...badRequest([400, 'channel: must be email or webhook']),
          ...refusal(429, 'Too many tests', 'At most 10 test notifications a minute; try again later'),
        },
      },
    },
    async (request) => {
      const operator = operatorOf(request);
      const { program } = actorOf(request);
      const { channel } = request.body;
      if (tests.add(operator.id, performance.now()) > MOST_TESTS)
        throw new EmbossError(429, `At most ${MOST_TESTS} test notifications a minute; try again later`);
      const message = testMessage(newId(Date.now()), program, notifications.publicUrl);
      const sent = await sendMessage(
        { db, keeper, sender, mailer: notifications.mailer },
        operator,
        channel,
        message,
        program.mode,
      );
      return {
        error: sent.outcome === 'nowhere' ? NOWHERE[channel] : sent.outcome === 'failed' ? sent.error : null,
      };
    },
  );
}
