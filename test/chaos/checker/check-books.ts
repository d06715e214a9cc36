import type { Received } from '../receiver.ts';
import { TERMS } from '../terms.ts';
import type { Report } from './finding.ts';
import type { Rows } from './rows.ts';

const MASTER = '00000000-0000-8000-8000-000000000001';
const minorOf = (amount: string): bigint => BigInt(amount.replace('.', ''));

/**
 * The books of a merchant that knows nothing but the events it received, in any order and more than once: what each
 * transaction takes, by its newest event. Together they are what has left the master account.
 */
export function checkBooks(rows: Rows, received: readonly Received[], report: Report): void {
  const books = new Map<string, { sequence: number; takenMinor: bigint }>();
  for (const { body } of received) {
    const { eventType, data } = JSON.parse(body);
    if (eventType !== 'transaction') continue;
    const known = books.get(data.transaction_id);
    if (known && known.sequence >= data.sequence) continue;
    books.set(data.transaction_id, { sequence: data.sequence, takenMinor: minorOf(data.taken_amount) });
  }
  const takenMinor = [...books.values()].reduce((sum, entry) => sum + entry.takenMinor, 0n);
  const masterMinor = rows.accounts.find((row) => row['id'] === MASTER)?.['balance_minor'];
  if (masterMinor !== (TERMS.fundedMinor ?? 0n) - takenMinor)
    report(
      'the merchant agrees',
      `its books have taken ${takenMinor}, the master account has ${masterMinor}`,
    );
}
