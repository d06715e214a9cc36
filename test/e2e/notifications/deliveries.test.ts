import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { INSTALLATION_ID } from '../../../src/audit/entry.ts';
import { notificationDeliveries } from '../../../src/notifications/deliver.ts';
import { claimDeliveries } from '../../../src/notifications/delivery-queries.ts';
import { notificationUpdates } from '../../../src/notifications/update-notifications.ts';
import { changeOperator } from '../../../src/operators/manage-operators.ts';
import { findersOf } from '../../../src/worker.ts';
import { type SignedIn, signInAs } from '../../support/console/operators.ts';
import { TESTER } from '../../support/server/actor.ts';
import { runToEnd } from '../../support/server/jobs.ts';
import { type MailServer, startMailServer } from '../../support/server/mail-server.ts';
import { counted } from '../../support/server/metrics.ts';
import { appForTests, type TestApp } from '../../support/server/test-app.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/webhook-receiver.ts';
import { verifies } from '../../support/webhooks/webhooks.ts';

let mail: MailServer;
let receiver: Receiver;
let answer = 200;
beforeAll(async () => {
  mail = await startMailServer();
  receiver = await startReceiver((_, response) => response.writeHead(answer).end());
});
const shared = appForTests(() => ({ smtp: mail.settings }));
afterAll(() => Promise.all([mail.close(), receiver.close()]));

let app: TestApp;
let ada: SignedIn;
beforeEach(async () => {
  app = await shared.forNewProgram();
  await shared.sql('delete from notification_deliveries');
  ada = await signInAs(shared, 'manager', app.program.id);
  mail.refuseWith(undefined);
  mail.mails.length = 0;
  receiver.received.length = 0;
  answer = 200;
});

const PREFERENCES = 'notifications/preferences/';
const mine = (method: string, path: string, body?: object, operator = ada) =>
  operator.call(method, path, body, app.program.id);
const choose = async (channels: string[], kind = 'master_balance', operator = ada) => {
  const { status, body } = await mine('PUT', PREFERENCES, { kinds: [{ kind, channels }] }, operator);
  expect([status, body.message]).toEqual([200, undefined]);
};
const setWebhook = async (url = `${receiver.url}/a-secret-path`): Promise<string> =>
  (await mine('PUT', 'notifications/webhook/', { url })).body.secret;

/** A low master account, which is a notification. */
async function becomeLow(): Promise<void> {
  await app.sql('update programs set alert_below_minor = 500000, alert_sent = true where id = $1', [
    app.program.id,
  ]);
  await runToEnd(notificationUpdates({ db: app.db, finders: findersOf({}) }));
}
const deliveries = () => {
  const { db, vault, sender, notifications, metrics } = shared;
  const logger = pino({ level: 'silent' });
  return notificationDeliveries({
    ...{ db, keeper: vault, digest: vault.digest, sender, metrics, logger },
    ...notifications,
  });
};
const send = () => runToEnd(deliveries());
const fallDue = () => app.sql('update notification_deliveries set due_at = now() where due_at is not null');
const states = async () =>
  (
    await app.sql<{ state: string }>(
      `select status || coalesce(': ' || error, '') as state from notification_deliveries`,
    )
  ).map(({ state }) => state);
const messageIds = () => mail.mails.map(({ headers }) => /^Message-ID: (.*)$/im.exec(headers)?.[1]);

describe('a notification', () => {
  test('goes by e-mail and webhook to those who chose it, once, and to nobody else', async () => {
    const [bob, eve] = [
      await signInAs(shared, 'viewer'),
      await signInAs(shared, 'admin', shared.program.id, { name: 'Of another program' }),
    ];
    const secret = await setWebhook();
    await choose(['bell', 'email', 'webhook']);
    await choose(['email'], 'declines', bob);
    await eve.call(
      'PUT',
      PREFERENCES,
      { kinds: [{ kind: 'master_balance', channels: ['email'] }] },
      shared.program.id,
    );
    await becomeLow();
    await becomeLow();
    await send();
    const link = `http://emboss.test/console/programs/${app.program.id}/program`;
    expect(mail.mails.map(({ to }) => to)).toEqual([[ada.email]]);
    const [{ headers, text } = { headers: '', text: '' }] = mail.mails;
    expect(headers).toContain('From: alerts@bank.example');
    expect(headers).toContain(`Subject: [${app.program.name}] The master account is low`);
    expect(headers).toContain('Content-Type: text/plain');
    expect(text).toContain('Less than €5,000.00 is available.');
    expect(text).toContain(link);
    const [request, ...more] = receiver.received;
    expect([more, request?.path, request && verifies(request, secret)]).toEqual([
      [],
      '/hooks/a-secret-path',
      true,
    ]);
    expect(request?.body).toEqual({
      id: request?.headers['webhook-id'],
      kind: 'master_balance',
      program: { id: app.program.id, name: app.program.name },
      title: 'The master account is low',
      detail: 'Less than €5,000.00 is available.',
      text: expect.stringContaining('The master account is low. Less than'),
      opened: expect.any(String),
      link,
    });
    expect(await states()).toEqual(['SENT', 'SENT']);
  });

  test.each([
    ['is disabled', () => changeOperator(app.db, app.vault, TESTER, ada.id, { enabled: false })],
    [
      'works for another program',
      () => changeOperator(app.db, app.vault, TESTER, ada.id, { programId: shared.program.id }),
    ],
    ['does not want it any more', () => choose(['bell'])],
    [
      'has an address that was changed in the database',
      () => app.sql(`update operators set email = 'thief-' || email where id = $1`, [ada.id]),
    ],
  ])('does not go to an operator who meanwhile %s', async (_, change) => {
    await choose(['email']);
    await becomeLow();
    await change();
    await send();
    expect([mail.mails, await states()]).toEqual([[], ['DROPPED']]);
  });

  test('that is not accepted is sent again with the same id, and in the end has failed', async () => {
    await setWebhook();
    await choose(['email', 'webhook']);
    await becomeLow();
    mail.refuseWith(451);
    answer = 500;
    await send();
    expect((await states()).sort()).toEqual([
      'PENDING: response 500',
      'PENDING: the mail server refused the mail (451)',
    ]);
    mail.refuseWith(undefined);
    for (let attempt = 2; attempt <= 6; attempt++) {
      await fallDue();
      await send();
    }
    expect((await states()).sort()).toEqual(['FAILED: response 500', 'SENT']);
    expect(mail.mails).toHaveLength(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receiver.received).toHaveLength(6);
    expect(
      (await counted(shared, 'emboss_notifications_total'))['{channel="webhook",outcome="failed"}'],
    ).toBe(1);
  });

  test('whose worker dies is sent by another one, with the same id', async () => {
    await choose(['email']);
    await becomeLow();
    const [claim] = await claimDeliveries(app.db, app.program.id, 10, 60_000);
    await send();
    expect(mail.mails).toEqual([]);
    await fallDue();
    await send();
    expect(messageIds()).toEqual([`<${claim?.deliveryId}@bank.example>`]);
  });

  test('shows hostile names as text: no further header, recipient or markup', async () => {
    await choose(['email']);
    await app.sql('update programs set name = $2 where id = $1', [
      app.program.id,
      'A\r\nBcc: thief@example.com\r\n\r\n<script>alert(1)</script>\u2028é',
    ]);
    await becomeLow();
    await send();
    const [{ to, headers, text } = { to: [], headers: '', text: '' }] = mail.mails;
    expect(to).toEqual([ada.email]);
    expect(headers).not.toMatch(/^Bcc:/im);
    expect(headers).toContain('Content-Type: text/plain');
    expect(text).not.toMatch(/^Bcc:/im);
  });
});

describe('the choices of an operator', () => {
  test('begin with the bell alone, and hide what is switched off', async () => {
    const { body } = await mine('GET', PREFERENCES);
    expect([body.email, body.webhook]).toEqual([ada.email, null]);
    expect(
      body.kinds.map(({ kind, channels }: { kind: string; channels: string[] }) => [kind, channels]),
    ).toEqual(
      ['webhook_endpoint', 'decision_endpoint', 'master_balance', 'declines', 'report'].map((kind) => [
        kind,
        ['bell'],
      ]),
    );
    await becomeLow();
    const bell = async () => (await mine('GET', 'notifications/')).body.notifications.length;
    expect(await bell()).toBe(1);
    await choose([]);
    expect(await bell()).toBe(0);
    const refused = await mine('PUT', PREFERENCES, { kinds: [{ kind: 'declines', channels: ['sms'] }] });
    expect(refused.status).toBe(400);
  });

  test('are tried with a test, which says why it did not arrive', async () => {
    const tried = async (channel: string) => {
      const { status, body } = await mine('POST', 'notifications/test/', { channel });
      return [status, status === 200 ? body.error : body.message];
    };
    expect(await tried('webhook')).toEqual([200, 'you have no webhook yet']);
    const secret = await setWebhook();
    expect([await tried('webhook'), await tried('email')]).toEqual([
      [200, null],
      [200, null],
    ]);
    expect(receiver.received.map((each) => [each.body.kind, verifies(each, secret)])).toEqual([
      ['test', true],
    ]);
    expect(mail.mails[0]?.headers).toContain('Test notification');
    answer = 403;
    mail.refuseWith(550);
    expect([await tried('webhook'), await tried('email')]).toEqual([
      [200, 'response 403'],
      [200, 'the mail server refused the mail (550)'],
    ]);
    for (let more = 0; more < 5; more++) await tried('webhook');
    expect(await tried('webhook')).toEqual([429, expect.stringMatching(/^At most 10 test notifications/)]);
  });

  test('keep the webhook’s path and secret out of the audit', async () => {
    const secret = await setWebhook();
    const entries = JSON.stringify(
      await app.sql(`select * from audit_entries where action like '%notification%' and program_id = $1`, [
        app.program.id,
      ]),
    );
    expect(entries).toContain(new URL(receiver.url).host);
    expect(entries).not.toMatch(/a-secret-path|whsec_/);
    expect(secret).toMatch(/^whsec_/);
    expect((await mine('DELETE', 'notifications/webhook/')).status).toBe(200);
    expect((await mine('GET', PREFERENCES)).body.webhook).toBeNull();
  });

  test('keep no secret of a webhook that was replaced or removed', async () => {
    const ids: string[] = [];
    const remember = async () => {
      const [row] = await app.sql(
        'select secret_id from notification_webhooks order by created_at desc limit 1',
      );
      ids.push(row?.['secret_id']);
    };
    const kept = async () => [
      ...(await app.vault.openRecords(app.db, INSTALLATION_ID, 'signing-secret', ids)).values(),
    ];
    await setWebhook();
    await remember();
    const secret = await setWebhook();
    await remember();
    expect((await kept()).filter((each) => each !== null)).toEqual([secret]);
    await mine('DELETE', 'notifications/webhook/');
    expect(await kept()).toEqual([null, null]);
  });

  test('accept only public addresses in a live program', async () => {
    const { program } = await shared.addProgram({ mode: 'live', bin: '411111' });
    const admin = await signInAs(shared, 'viewer', program.id);
    const { status, body } = await admin.call(
      'PUT',
      'notifications/webhook/',
      { url: 'https://127.0.0.1/hooks' },
      program.id,
    );
    expect([status, body.message]).toEqual([400, 'url: must point to a public address in a live program']);
  });
});
