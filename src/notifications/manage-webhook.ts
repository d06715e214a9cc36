import { INSTALLATION_ID } from '../audit/entry.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Secret } from '../kernel/secret.ts';
import { readEndpointUrl } from '../outbound/endpoint-url.ts';
import type { Sender } from '../outbound/send-request.ts';
import { newSecret } from '../outbound/sign.ts';
import { eraseSecrets, keepSecret, type SecretKeeper } from '../outbound/signing-secret.ts';
import type { ProgramMode } from '../programs/program.ts';
import { deleteWebhook, findWebhook, saveWebhook } from './preference-queries.ts';

/** Sets an operator's webhook, with a new secret, which is shown once. `remember` is called in the transaction. */
export async function setWebhook(
  { db, keeper, sender }: { db: Database; keeper: SecretKeeper; sender: Sender },
  operatorId: string,
  { url: text, mode }: { url: string; mode: ProgramMode },
  remember: (tx: Tx) => Promise<void>,
): Promise<{ url: string; secret: Secret }> {
  const url = readEndpointUrl(text, mode, sender.addresses);
  const secret = newSecret();
  await db.transaction(async (tx) => {
    await eraseKnown(keeper, tx, operatorId);
    const secretId = await keepSecret(keeper, tx, INSTALLATION_ID, secret);
    await saveWebhook(tx, { operatorId, url, secretId });
    await remember(tx);
  });
  return { url, secret };
}

/** Removes an operator's webhook with its secret. */
export async function removeWebhook(keeper: SecretKeeper, tx: Tx, operatorId: string): Promise<void> {
  await eraseKnown(keeper, tx, operatorId);
  await deleteWebhook(tx, operatorId);
}

async function eraseKnown(keeper: SecretKeeper, tx: Tx, operatorId: string): Promise<void> {
  const known = await findWebhook(tx, operatorId);
  if (known) await eraseSecrets(keeper, tx, INSTALLATION_ID, [known.secretId]);
}
