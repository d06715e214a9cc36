import { newId } from '../../../src/kernel/ids.ts';
import { sql } from '../database/database.ts';
import type { TestApp } from '../server/test-app.ts';
import { newMessageId, type PayingCard } from './network.ts';

interface Made {
  amountMinor?: number;
  currency?: string;
  status?: 'AUTHENTICATED' | 'CHALLENGE' | 'REJECTED';
  category?: 'PAYMENT' | 'NON_PAYMENT';
}

/** An authentication of 3-D Secure as it is after its challenge. Returns its id. */
export async function authenticationOf(
  app: TestApp,
  { id: cardId, owner: { program } }: PayingCard,
  {
    amountMinor = 10_000,
    currency = program.currency,
    status = 'AUTHENTICATED',
    category = 'PAYMENT',
  }: Made = {},
): Promise<string> {
  const authenticationId = newMessageId('acs');
  await sql(
    app.databaseUrl,
    `insert into authentications (program_id, purpose, authentication_id, id, request_digest, card_id, amount_minor,
       currency, category, status, trans_status, completed_at, created_at, created_real)
     values ($1, '3ds', $2, $3, '', $4, $5, $6, $7, $8, $9, case when $8 <> 'CHALLENGE' then now() end, now(), now())`,
    [
      program.id,
      authenticationId,
      newId(Date.now()),
      cardId,
      amountMinor,
      currency,
      category,
      status,
      { AUTHENTICATED: 'Y', CHALLENGE: 'C', REJECTED: 'N' }[status],
    ],
  );
  return authenticationId;
}

/** The network's id of the purchase that used it. */
export async function usedBy(app: TestApp, authenticationId: string): Promise<unknown> {
  const rows = await sql(
    app.databaseUrl,
    'select used_by from authentications where authentication_id = $1',
    [authenticationId],
  );
  return rows[0]?.['used_by'];
}
