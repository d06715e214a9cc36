import { IconArrowsUpDown } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { SimulatorHint } from '../../components/simulator-hint.tsx';
import { ItemsOutline } from '../../components/table-outline.tsx';
import { useProgram } from '../../lib/program.ts';
import { DAY_MS, formatWeekday, parseTime, shownDay } from '../../lib/time.ts';
import type {
  AuthenticationDetail,
  CardDetails,
  TransactionDetail,
  TransactionTimeline,
} from '../../lib/types.ts';
import { useNow } from '../../lib/use-now.ts';
import { foldRepeats } from '../limits/fold.ts';
import { AuthenticationItem } from './authentication-item.tsx';
import { timelineQuery } from './queries.ts';
import classes from './timeline.module.css';
import { TimelineItem } from './timeline-item.tsx';

const EVERY_MS = 15_000;

/** The card's transactions and authentications by day, newest first. */
export function Timeline({ card }: { card: CardDetails }) {
  const { id: programId } = useProgram();
  const now = useNow();
  const query = useInfiniteQuery({
    ...timelineQuery(programId, card.id),
    // No refresh once older pages are loaded: it would load all pages again while the operator reads.
    refetchInterval: ({ state }) => (state.data && state.data.pages.length > 1 ? false : EVERY_MS),
  });
  return (
    <Loaded query={query} outline={<ItemsOutline sign rows={8} />}>
      {({ pages }) => {
        const entries = pages.flatMap(entriesOf);
        const days = byDay(entries);
        const newest = entries.find(declineKey)?.id;
        if (days.length === 0)
          return (
            <EmptyState icon={IconArrowsUpDown} title="No transactions yet">
              Purchases, refunds, declined attempts and authentications with this card are listed here, with
              the reason for each decline.
              <SimulatorHint />
            </EmptyState>
          );
        return (
          <>
            {days.map(([day, ofDay]) => (
              <section key={day} aria-label={dayTitle(day, now)}>
                <h3 className={classes.day}>{dayTitle(day, now)}</h3>
                <ul className={classes.list}>
                  {foldRepeats(ofDay, declineKey).map(([entry, ...repeats]) => {
                    if (!entry) return null;
                    if ('purpose' in entry)
                      return <AuthenticationItem key={entry.id} authentication={entry} />;
                    return (
                      <TimelineItem
                        key={entry.id}
                        transaction={entry}
                        repeats={repeats as TransactionDetail[]}
                        card={entry.id === newest ? card : undefined}
                      />
                    );
                  })}
                </ul>
              </section>
            ))}
            <LoadMore query={query} end="No earlier transactions." />
          </>
        );
      }}
    </Loaded>
  );
}

type Entry = TransactionDetail | AuthenticationDetail;

/** Declines at one merchant for one reason are repeats. */
const declineKey = (entry: Entry): string | null =>
  'purpose' in entry || !entry.decline ? null : `${entry.decline.reason} ${entry.merchant?.id}`;

/** The ids of both sort by time. */
const entriesOf = ({ results, authentications }: TransactionTimeline): Entry[] =>
  [...results, ...authentications].sort((a, b) => (a.id < b.id ? 1 : -1));

function byDay(entries: Entry[]): Array<[day: string, entries: Entry[]]> {
  const days = new Map<string, Entry[]>();
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
