import type { Logger } from 'pino';
import { INSTALLATION_ID } from '../audit/entry.ts';
import type { Job } from '../jobs/job.ts';
import type { Digest } from '../kernel/digest.ts';
import type { Counter, Metrics } from '../kernel/metric.ts';
import { findOperators } from '../operators/queries.ts';
import { isUnaltered } from '../operators/seals.ts';
import { listPrograms, readProgram } from '../programs/queries.ts';
import { messageOf } from './compose.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DeliveryOutcome,
  listProgramsWithDue,
  recordDelivery,
  type SentChannel,
} from './delivery-queries.ts';
import { LONGEST_MAIL_MS } from './mailer.ts';
import { maySee } from './notification.ts';
import { listPreferences } from './preference-queries.ts';
import { channelsOf } from './preferences.ts';
import { type SendServices, sendMessage } from './send-message.ts';

export interface DeliveryServices extends SendServices {
  digest: Digest;
  publicUrl: string;
  metrics: Metrics;
  logger: Logger;
}

export const NOTIFICATIONS_SENT: Counter<{ channel: SentChannel; outcome: 'sent' | 'retried' | 'failed' }> = {
  type: 'counter',
  name: 'emboss_notifications_total',
  help: 'Attempts to send a notification to an operator, by channel and outcome: sent, retried or (the last one) failed.',
  labels: { channel: ['email', 'webhook'], outcome: ['sent', 'retried', 'failed'] },
};

const MOST_PROGRAMS = 100;
const AT_ONCE = 4;
const MINUTE_MS = 60_000;
/** Longer than any attempt: after a crash another worker sends it then, with the same id. */
const LEASE_MS = LONGEST_MAIL_MS + MINUTE_MS;
/** After the first attempt, the second, and so on; then it has failed. */
const PAUSES_MS = [30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS];

/** Sends notifications at least once, each to one operator by one channel. */
export const notificationDeliveries = (services: DeliveryServices): Job => ({
  name: 'notification-deliveries',
  everyMs: 2_000,
  atOnce: 4,
  findDue: (programId) => listProgramsWithDue(services.db, MOST_PROGRAMS, programId),
  async work({ programId }) {
    const claimed = await claimDeliveries(services.db, programId, AT_ONCE, LEASE_MS);
    await Promise.all(claimed.map((delivery) => deliver(services, delivery)));
    return claimed.length === AT_ONCE;
  },
});

async function deliver(services: DeliveryServices, delivery: ClaimedDelivery): Promise<void> {
  const { db, metrics, logger } = services;
  const { channel, attempts, deliveryId } = delivery;
  const sent = await attempt(services, delivery);
  if (sent.outcome === 'nowhere') return recordDelivery(db, delivery, ended('DROPPED'));
  if (sent.outcome === 'sent') {
    metrics.count(NOTIFICATIONS_SENT, { channel, outcome: 'sent' });
    return recordDelivery(db, delivery, ended('SENT'));
  }
  const dueInMs = PAUSES_MS[attempts - 1];
  metrics.count(NOTIFICATIONS_SENT, { channel, outcome: dueInMs === undefined ? 'failed' : 'retried' });
  if (dueInMs !== undefined)
    return recordDelivery(db, delivery, { status: 'PENDING', error: sent.error, dueInMs });
  logger.warn({ deliveryId, channel, reason: sent.error }, 'a notification could not be sent');
  return recordDelivery(db, delivery, ended('FAILED', sent.error));
}

const ended = (status: DeliveryOutcome['status'], error: string | null = null): DeliveryOutcome => ({
  status,
  error,
  dueInMs: null,
});

/** What the operator may see and wants is decided again for each attempt. */
async function attempt(
  services: DeliveryServices,
  delivery: ClaimedDelivery,
): ReturnType<typeof sendMessage> {
  const { db, digest, publicUrl, logger } = services;
  const [operator] = await findOperators(db, [delivery.operatorId]);
  const isTheirs =
    operator?.disabledAt === null &&
    isUnaltered(digest, operator, (error) => logger.error({ err: error }, 'a notification was not sent')) &&
    maySee(operator, delivery);
  const chosen = isTheirs ? channelsOf(await listPreferences(db, operator.id), delivery.kind) : [];
  if (!operator || !chosen.includes(delivery.channel)) return { outcome: 'nowhere' };
  const program = await programOf(services, delivery.programId);
  const message = messageOf(delivery, delivery.deliveryId, program, publicUrl);
  return sendMessage(services, operator, delivery.channel, message, program.mode);
}

/** The installation has no name of its own. As in the console, it is live if any of its programs is. */
async function programOf({ db }: DeliveryServices, programId: string) {
  if (programId !== INSTALLATION_ID) return (await readProgram(db, programId)).program;
  const isLive = (await listPrograms(db)).some(({ mode }) => mode === 'live');
  return { id: INSTALLATION_ID, name: 'Emboss', mode: isLive ? 'live' : 'sandbox' } as const;
}
