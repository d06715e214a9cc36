import { INSTALLATION_ID } from '../audit/entry.ts';
import type { Database } from '../db/database.ts';
import type { Operator } from '../operators/operator.ts';
import type { Sender } from '../outbound/send-request.ts';
import { signatureHeaders } from '../outbound/sign.ts';
import { openSecrets, type SecretKeeper } from '../outbound/signing-secret.ts';
import type { ProgramMode } from '../programs/program.ts';
import { type Message, mailOf, webhookBodyOf } from './compose.ts';
import type { SentChannel } from './delivery-queries.ts';
import type { Mailer } from './mailer.ts';
import { findWebhook } from './preference-queries.ts';

const TIME_LIMIT_MS = 15_000;
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'Emboss-Notifications' };

export interface SendServices {
  db: Database;
  keeper: SecretKeeper;
  sender: Sender;
  /** Undefined: no mail server is set. */
  mailer: Mailer | undefined;
}

/** Whether it arrived; if not, why. `nowhere`: the operator has no such channel. */
export type Sent = { outcome: 'sent' } | { outcome: 'failed'; error: string } | { outcome: 'nowhere' };

/** Makes one attempt. */
export async function sendMessage(
  { db, keeper, sender, mailer }: SendServices,
  { id: operatorId, email }: Pick<Operator, 'id' | 'email'>,
  channel: SentChannel,
  message: Message,
  reach: ProgramMode,
): Promise<Sent> {
  if (channel === 'email') {
    if (!mailer) return { outcome: 'nowhere' };
    const error = await mailer.send(mailOf(message, email));
    return error === undefined ? { outcome: 'sent' } : { outcome: 'failed', error };
  }
  const webhook = await findWebhook(db, operatorId);
  if (!webhook) return { outcome: 'nowhere' };
  const owner = { ...webhook, programId: INSTALLATION_ID, previousSecretId: null, previousSignsUntil: null };
  const secrets = await openSecrets(keeper, db, owner, Date.now());
  const body = webhookBodyOf(message);
  const timestamp = Math.floor(Date.now() / 1_000);
  const answer = await sender.sendRequest({
    url: webhook.url,
    headers: { ...HEADERS, ...signatureHeaders({ id: message.id, timestamp, body, secrets }) },
    body,
    reach,
    timeoutMs: TIME_LIMIT_MS,
  });
  if ('error' in answer) return { outcome: 'failed', error: answer.error };
  const isAccepted = answer.statusCode >= 200 && answer.statusCode <= 299;
  return isAccepted ? { outcome: 'sent' } : { outcome: 'failed', error: `response ${answer.statusCode}` };
}
