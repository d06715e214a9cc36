import { createHmac, randomBytes } from 'node:crypto';
import { reveal, type Secret, secret } from '../kernel/secret.ts';

/** Signing as in Standard Webhooks 1.0.0, https://www.standardwebhooks.com. */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export const newSecret = (): Secret => secret(PREFIX + randomBytes(SECRET_BYTES).toString('base64'));

interface Message {
  /** The event's id, the same for every attempt. It contains no dot, because dots separate the signed parts. */
  id: string;
  /** The time of this attempt in Unix seconds. */
  timestamp: number;
  /** The exact text or bytes that are sent. */
  body: string | Buffer;
  /** Newest first. During a rotation there are two; a receiver may know either. */
  secrets: readonly Secret[];
}

export function signatureHeaders({ id, timestamp, body, secrets }: Message): Record<string, string> {
  const sign = (key: Secret): string =>
    createHmac('sha256', Buffer.from(reveal(key).slice(PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.`)
      .update(body)
      .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((each) => `v1,${sign(each)}`).join(' '),
  };
}
