import { DECLINES, type DeclineReason } from '../../authorizations/core/decline.ts';
import { findLastFoursOfCards } from '../../cards/queries.ts';
import type { StoredEvent } from '../../events/event.ts';
import { listEvents } from '../../events/queries.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import { invalid } from '../../kernel/error.ts';
import { HIGHEST_ID, isId, LOWEST_ID, lowestIdAt, timeOf } from '../../kernel/ids.ts';
import type { QueryServices } from '../services.ts';
import { eventTotal } from '../transactions/event-total.ts';

const MOST_EVENTS = 100;
/** An event gets its id before its transaction commits, so an event with a lower id may appear later. */
const LOOK_BACK_MS = 5_000;

export async function readLive(
  { db }: Pick<QueryServices, 'db'>,
  programId: string,
  nowMs: number,
  after: string | undefined,
) {
  if (after === undefined) {
    const [newest] = await listEvents(db, programId, HIGHEST_ID, LOWEST_ID, 1);
    return { events: [], cursor: newest?.id ?? lowestIdAt(nowMs) };
  }
  if (!isId(after)) throw invalid('after', 'must be a cursor from a previous response');
  const rows = await listEvents(
    db,
    programId,
    HIGHEST_ID,
    lowestIdAt(timeOf(after) - LOOK_BACK_MS),
    MOST_EVENTS,
  );
  const cardIds = [...new Set(rows.flatMap((row) => cardOf(row) ?? []))];
  const lastFours = await findLastFoursOfCards(db, programId, cardIds);
  const newest = rows[0]?.id ?? after;
  return {
    events: rows.map((row) => presentEvent(row, lastFours.get(cardOf(row) ?? '') ?? null)),
    cursor: newest > after ? newest : after,
  };
}

/** Authentications name their card in the data only. */
const cardOf = ({ cardId, data }: StoredEvent): string | null =>
  cardId ?? (typeof data['card_id'] === 'string' ? data['card_id'] : null);

/** The fields that a line of the feed shows. */
function presentEvent(row: StoredEvent, lastFour: string | null) {
  const { id, eventType: type, eventName: name, data, createdAt } = row;
  const textOf = (field: string) => (typeof data[field] === 'string' ? (data[field] as string) : null);
  const declineReason = name === 'authorization.declined' ? textOf('decline_reason') : null;
  return {
    id,
    type,
    name,
    created: formatTimestamp(createdAt),
    cardId: cardOf(row),
    lastFour,
    transactionId: textOf('transaction_id'),
    status: textOf('status'),
    amount: textOf('amount'),
    currency: textOf('currency'),
    billAmount: textOf('bill_amount'),
    billCurrency: textOf('bill_currency'),
    total: eventTotal(data),
    channel: textOf('channel'),
    merchant: (data['merchant'] as { name: string } | null | undefined)?.name ?? null,
    declineReason,
    declineMeaning: declineReason && (DECLINES[declineReason as DeclineReason]?.meaning ?? null),
  };
}
