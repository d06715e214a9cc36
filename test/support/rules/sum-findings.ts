import type { Owner } from '../cards/network.ts';
import type { TestApp } from '../server/test-app.ts';

export interface CountedVelocity {
  measure: string;
  per: string;
  window: object;
  where?: object;
}

interface Row {
  id: string;
  cardId: string;
  customerId: string;
  merchantId: string | null;
  open: boolean;
  counted: Array<{ minor: string; mark?: { atMs: number; velocities: number[]; kind: string } }>;
}

const ROWS = `
  select t.id, t.card_id as "cardId", u.id as "customerId", t.merchant_id as "merchantId", t.counted,
         t.held_minor > 0 or t.cleared_minor > 0 as open
  from transactions t
  join cards c on c.program_id = t.program_id and c.id = t.card_id
  join customers u on u.program_id = c.program_id and u.cardholder_id = c.cardholder_id
  where t.program_id = $1`;

const subjectOf = ({ cardId, customerId, merchantId }: Row, { per }: CountedVelocity): string => {
  if (per === 'CUSTOMER') return `customer/${customerId}`;
  return per === 'CARD' ? `card/${cardId}` : `card/${cardId}/${merchantId ?? ''}`;
};

/** What each velocity counts, by its number: as it is stored, against the parts of the purchases, counted anew. */
export async function sumFindings(
  app: TestApp,
  { program: { id } }: Owner,
  velocities: ReadonlyMap<number, CountedVelocity>,
): Promise<object[]> {
  const [rows, stored, entries] = await Promise.all([
    app.sql<Row & Record<string, unknown>>(ROWS, [id]),
    app.sql<{ subject: string; sums: Record<string, [number, number, string]> }>(
      'select subject, sums from rule_sums where program_id = $1',
      [id],
    ),
    app.sql<{ key: string; count: number; minor: string; velocities: number[] }>(
      `select concat_ws(' ', subject, transaction_id, at_ms) as key, count, minor::text, velocities
       from rule_entries where program_id = $1`,
      [id],
    ),
  ]);
  const sumsOf = new Map(stored.map(({ subject, sums }) => [subject, sums]));
  const entryOf = new Map(entries.map((entry) => [entry.key, entry]));
  const wanted = new Map<string, { count: number; minor: bigint }>();
  const findings: object[] = [];
  for (const [subject, sums] of sumsOf)
    for (const number of Object.keys(sums))
      if (velocities.has(Number(number))) wanted.set(`${subject} ${number}`, { count: 0, minor: 0n });
  for (const row of rows)
    for (const { minor, mark } of row.counted)
      for (const number of mark?.velocities ?? []) {
        const velocity = velocities.get(number);
        if (!mark || !velocity) continue;
        const subject = subjectOf(row, velocity);
        const [sinceMs] = sumsOf.get(subject)?.[number] ?? [0];
        if (mark.atMs < sinceMs) continue;
        const key = `${subject} ${number}`;
        const sum = wanted.get(key) ?? { count: 0, minor: 0n };
        const count = mark.kind === 'decline' || (mark.kind === 'purchase' && row.open) ? 1 : 0;
        wanted.set(key, { count: sum.count + count, minor: sum.minor + BigInt(minor) });
        if (!('minutes' in velocity.window)) continue;
        const entry = entryOf.get(`${subject} ${row.id} ${mark.atMs}`);
        if (entry?.count !== count || entry.minor !== minor || !entry.velocities.includes(number))
          findings.push({ subject, number, atMs: mark.atMs, count, minor, entry });
      }
  for (const [key, { count, minor }] of wanted) {
    const [subject = '', number = ''] = key.split(' ');
    const sum = sumsOf.get(subject)?.[number];
    if (sum?.[1] !== count || sum[2] !== String(minor))
      findings.push({ subject, number, sum, count, minor: String(minor) });
  }
  return findings;
}
