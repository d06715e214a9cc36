import { listFundingBelow } from '../../audit/queries.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import { HIGHEST_ID } from '../../kernel/ids.ts';
import { PAGE_SIZE, pageOfRecords } from '../console-schema.ts';
import { parseActor } from '../history/entry.ts';
import type { QueryServices } from '../services.ts';

/** The program's funding and withdrawals, newest first. The audit entry holds all of it, with the actor and the payer's reference. */
export async function readFunding(
  { db }: Pick<QueryServices, 'db'>,
  programId: string,
  beforeId = HIGHEST_ID,
) {
  const rows = await listFundingBelow(db, programId, beforeId, PAGE_SIZE + 1);
  const { results, next } = pageOfRecords(rows, PAGE_SIZE);
  return {
    results: results.map(({ id, action, actor, after, createdAt }) => ({
      id,
      amount: `${action === 'program.withdrawn' ? '-' : ''}${String(after?.['amount'])}`,
      available: String(after?.['available']),
      reference: (after?.['reference'] ?? null) as string | null,
      actor: parseActor(actor),
      created: formatTimestamp(createdAt),
    })),
    next,
  };
}
