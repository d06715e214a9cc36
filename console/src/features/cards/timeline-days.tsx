import { DAY_MS, formatWeekday, parseTime, shownDay } from '../../lib/time.ts';
import type {
  AuthenticationDetail,
  CardDetails,
  Customer,
  HistoryEntry,
  TransactionDetail,
} from '../../lib/types.ts';
import { useNow } from '../../lib/use-now.ts';
import { foldRepeats } from '../limits/fold.ts';
import { AuthenticationItem } from './authentication-item.tsx';
import { ChangeItem } from './change-item.tsx';
import { NoteItem } from './note-item.tsx';
import classes from './timeline.module.css';
import { TimelineItem } from './timeline-item.tsx';

export type TimelineEntry =
  | TransactionDetail
  | AuthenticationDetail
  | HistoryEntry
  | Customer['notes'][number];

/** Entries of a timeline by day. All ids sort by time. */
export function TimelineDays({
  entries,
  card,
  onCard = () => undefined,
}: {
  entries: TimelineEntry[];
  /** The newest decline offers a remedy for this card. */
  card?: CardDetails;
  /** Names the card of an entry, if there are several. */
  onCard?: (cardId: string | null) => string | undefined;
}) {
  const now = useNow();
  const sorted = [...entries].sort((a, b) => (a.id < b.id ? 1 : -1));
  const declines = sorted.flatMap((entry) => ('decline' in entry && entry.decline ? [entry] : []));
  const newest = declines[0]?.id;
  // One explanation per reason: the newest.
  const explained = new Set([
    ...new Map(declines.reverse().map((entry) => [entry.decline?.reason, entry.id])).values(),
  ]);
  return byDay(sorted).map(([day, ofDay]) => (
    <section key={day} aria-label={dayTitle(day, now)}>
      <h3 className={classes.day}>{dayTitle(day, now)}</h3>
      <ul className={classes.list}>
        {foldRepeats(ofDay, declineKey).map(([entry, ...repeats]) => {
          if (!entry) return null;
          if ('text' in entry) return <NoteItem key={entry.id} note={entry} />;
          const named = onCard(entry.cardId);
          if ('action' in entry) return <ChangeItem key={entry.id} entry={entry} onCard={named} />;
          if ('purpose' in entry)
            return <AuthenticationItem key={entry.id} authentication={entry} onCard={named} />;
          return (
            <TimelineItem
              key={entry.id}
              transaction={entry}
              repeats={repeats as TransactionDetail[]}
              card={entry.id === newest ? card : undefined}
              isExplained={explained.has(entry.id)}
              onCard={named}
            />
          );
        })}
      </ul>
    </section>
  ));
}

/** Declines of one card at one merchant for one reason are repeats. */
const declineKey = (entry: TimelineEntry): string | null =>
  'decline' in entry && entry.decline
    ? `${entry.cardId} ${entry.decline.reason} ${entry.merchant?.id}`
    : null;

function byDay(entries: TimelineEntry[]): Array<[day: string, entries: TimelineEntry[]]> {
  const days = new Map<string, TimelineEntry[]>();
  for (const entry of entries) {
    const day = shownDay(parseTime(entry.created));
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days];
}

function dayTitle(day: string, now: Date): string {
  if (day === shownDay(now)) return 'Today';
  if (day === shownDay(new Date(now.getTime() - DAY_MS))) return 'Yesterday';
  return formatWeekday(new Date(`${day}T00:00:00Z`));
}
