import { column } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { parametersOf, valuesOf } from '../db/row.ts';
import type { Due } from '../jobs/job.ts';
import type {
  Authentication,
  AuthenticationMerchant,
  CardAuthentication,
  Purpose,
} from './authentication.ts';

const COLUMNS = `
  a.program_id, a.purpose, a.authentication_id, a.id, a.request_digest, a.card_id, a.merchant_id, a.merchant_name,
  a.merchant_mcc, a.merchant_country, a.amount_minor, a.currency, a.device_channel, a.category, a.challenge, a.wallet,
  a.status, a.trans_status, a.reason, a.method, a.reference, a.number_id, a.otp_digests, a.destination,
  a.wrong_attempts, a.sends, a.send_started_at, a.sent_at, a.expires_at, a.completed_at, a.used_by, a.created_at,
  a.created_real`;

type Row = Omit<Authentication, 'merchant'> & {
  merchantId: string | null;
  merchantName: string | null;
  merchantMcc: string | null;
  merchantCountry: string | null;
};

function fromRow(row: Row): Authentication {
  const { merchantId, merchantName: name, merchantMcc, merchantCountry: country, ...rest } = row;
  const merchant: AuthenticationMerchant | null =
    merchantId === null ? null : { id: merchantId, name, mcc: merchantMcc as string, country };
  return { ...rest, merchant };
}

export async function findAuthentication(
  db: Queryable,
  programId: string,
  purpose: Purpose,
  authenticationId: string,
): Promise<Authentication | undefined> {
  const rows = await db.query<Row>(
    {
      name: 'find_authentication',
      text: `select ${COLUMNS} from authentications a
             where a.program_id = $1 and a.purpose = $2 and a.authentication_id = $3`,
    },
    [programId, purpose, authenticationId],
  );
  return rows[0] && fromRow(rows[0]);
}

/** By our own id. */
export async function findAuthenticationById(
  db: Queryable,
  programId: string,
  id: string,
): Promise<Authentication | undefined> {
  const rows = await db.query<Row>(
    {
      name: 'find_authentication_by_id',
      text: `select ${COLUMNS} from authentications a where a.program_id = $1 and a.id = $2`,
    },
    [programId, id],
  );
  return rows[0] && fromRow(rows[0]);
}

/** Those of our ids that the program has. */
export async function findAuthenticationsById(
  db: Queryable,
  programId: string,
  ids: readonly string[],
): Promise<Authentication[]> {
  const rows = await db.query<Row>(
    {
      name: 'find_authentications_by_id',
      text: `select ${COLUMNS} from authentications a where a.program_id = $1 and a.id = any ($2::uuid[])`,
    },
    [programId, ids],
  );
  return rows.map(fromRow);
}

const INSERTED = `program_id, purpose, authentication_id, id, request_digest, card_id, number_id, merchant_id, merchant_name,
  merchant_mcc, merchant_country, amount_minor, currency, device_channel, category, challenge, wallet, status,
  trans_status, reason, method, reference, expires_at, completed_at, created_at, created_real`;

/** False: the id is taken. */
export async function insertAuthentication(tx: Tx, authentication: Authentication): Promise<boolean> {
  const { merchant } = authentication;
  const rows = await tx.query(
    {
      name: 'insert_authentication',
      text: `insert into authentications (${INSERTED}) values (${parametersOf(INSERTED)})
             on conflict do nothing returning id`,
    },
    valuesOf(INSERTED, {
      ...authentication,
      merchantId: merchant?.id ?? null,
      merchantName: merchant?.name ?? null,
      merchantMcc: merchant?.mcc ?? null,
      merchantCountry: merchant?.country ?? null,
    }),
  );
  return rows.length === 1;
}

/** A card's challenges without a result. */
export async function listOpen(tx: Tx, programId: string, cardId: string): Promise<CardAuthentication[]> {
  const rows = await tx.query<Row>(
    {
      name: 'list_open_authentications',
      text: `select ${COLUMNS} from authentications a
             where a.program_id = $1 and a.card_id = $2 and a.status = 'CHALLENGE' order by a.id`,
    },
    [programId, cardId],
  );
  return rows.map((row) => fromRow(row) as CardAuthentication);
}

/** The authentications of cards below an id, newest first. */
export async function listCardAuthenticationsBelow(
  db: Queryable,
  programId: string,
  cardIds: readonly string[],
  belowId: string,
  limit: number,
): Promise<CardAuthentication[]> {
  const rows = await db.query<Row>(
    {
      name: 'list_card_authentications_below',
      text: `select ${COLUMNS} from unnest($2::uuid[]) as wanted (of_card)
             cross join lateral (
               select * from authentications
               where program_id = $1 and card_id = wanted.of_card and id < $3 order by id desc limit $4) a
             order by a.id desc limit $4`,
    },
    [programId, column(cardIds), belowId, limit],
  );
  return rows.map((row) => fromRow(row) as CardAuthentication);
}

/** Expired challenges, the oldest first. */
export async function listExpired(
  db: Queryable,
  programId: string,
  limit: number,
): Promise<CardAuthentication[]> {
  const rows = await db.query<Row>(
    {
      name: 'list_expired_authentications',
      text: `select ${COLUMNS} from authentications a
             where a.program_id = $1 and a.status = 'CHALLENGE' and a.expires_at <= statement_timestamp()
             order by a.expires_at limit $2`,
    },
    [programId, limit],
  );
  return rows.map((row) => fromRow(row) as CardAuthentication);
}

/** Programs with such challenges, and how long the first of each has been over: all, or the given one. */
export const listProgramsWithExpired = (db: Queryable, limit: number, programId?: string): Promise<Due[]> =>
  db.query<Due & Record<string, unknown>>(
    {
      name: `list_programs_with_expired${programId ? '_of_one' : ''}`,
      text: `select a.program_id as "programId",
                    extract(epoch from statement_timestamp() - min(a.expires_at))::float8 * 1000 as "ageMs"
             from authentications a
             where ${programId ? 'a.program_id = $2 and' : ''} a.status = 'CHALLENGE'
               and a.expires_at <= statement_timestamp()
             group by a.program_id order by min(a.expires_at) limit $1`,
    },
    [limit, ...(programId ? [programId] : [])],
  );

/** The sealed code of an open challenge in a sandbox program. */
export async function findSealedOtp(db: Queryable, programId: string, id: string): Promise<Buffer | null> {
  const rows = await db.query<{ sealed: Buffer | null }>(
    {
      name: 'find_sealed_otp',
      text: `select sandbox_otp as sealed from authentications
             where program_id = $1 and id = $2 and expires_at > statement_timestamp()`,
    },
    [programId, id],
  );
  return rows[0]?.sealed ?? null;
}

/** What an authorization needs to know of an authentication. */
export interface Usable {
  authenticationId: string;
  cardId: string | null;
  /** For a payment: 3-D Secure of a non-payment authenticates none. */
  isAuthenticated: boolean;
  merchantId: string;
  /** Program time; null for a challenge. */
  completedAt: Date | null;
  amountMinor: bigint;
  currency: string;
  /** Transactions. */
  usedBy: readonly string[];
}

/** The authentications of 3-D Secure with these ids. For the engine, which holds the lock of the card. */
export const findUsable = (
  tx: Queryable,
  programId: string,
  authenticationIds: readonly string[],
): Promise<Usable[]> =>
  tx.query<Usable & Record<string, unknown>>(
    {
      name: 'find_usable_authentications',
      text: `select a.authentication_id, a.card_id,
                    a.status = 'AUTHENTICATED' and a.category = 'PAYMENT' as is_authenticated,
                    a.merchant_id, a.completed_at, a.amount_minor, a.currency, a.used_by
             from unnest($2::text[]) as wanted (id) cross join lateral (
               select * from authentications
               where program_id = $1 and purpose = '3ds' and authentication_id = wanted.id limit 1) a`,
    },
    [programId, authenticationIds],
  );

/** Records the transactions that use them. The engine holds the locks of the cards, so no use is lost. */
export function addUses(
  tx: Tx,
  programId: string,
  uses: ReadonlyArray<{ authenticationId: string; transactionId: string }>,
): void {
  tx.send(
    {
      name: 'add_authentication_uses',
      text: `update authentications a
             set used_by = a.used_by || array(
               select used.transaction_id from unnest($2::text[], $3::uuid[]) as used (id, transaction_id)
               where used.id = a.authentication_id)
             where a.program_id = $1 and a.purpose = '3ds' and a.authentication_id = any ($2::text[])`,
    },
    [
      programId,
      uses.map(({ authenticationId }) => authenticationId),
      uses.map(({ transactionId }) => transactionId),
    ],
  );
}
