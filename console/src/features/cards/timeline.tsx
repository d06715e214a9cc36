import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TableOutline } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { useProgram } from '../../lib/program.ts';
import { DAY_MS, dayKey, formatDayLong, parseTime } from '../../lib/time.ts';
import type { CardDetails, TransactionDetail } from '../../lib/types.ts';
import { useNow } from '../../lib/use-now.ts';
import { timelineQuery } from './queries.ts';
import classes from './timeline.module.css';
import { TimelineItem } from './timeline-item.tsx';

const EVERY_MS = 15_000;

/** The card's transactions by day, newest first. */
export function Timeline({ card }: { card: CardDetails }) {
  const { id: programId, mode } = useProgram();
  const now = useNow();
  const query = useInfiniteQuery({
    ...timelineQuery(programId, card.id),
    // No refresh once older pages are loaded: it would load all pages again while the operator reads.
    refetchInterval: ({ state }) => (state.data && state.data.pages.length > 1 ? false : EVERY_MS),
  });
  return (
    <Loaded query={query} outline={<TableOutline rows={10} />}>
      {({ pages }) => {
        const days = byDay(pages.flatMap(({ results }) => results));
        if (days.length === 0)
          return (
            <EmptyState icon="transactions" title="No transactions yet">
              Purchases, refunds and declined attempts with this card are listed here, with the reason for
              each decline.
              {mode === 'sandbox' && (
                <>
                  {' '}
                  Simulate a purchase in the{' '}
                  <Link to="/programs/$programId/simulator" params={{ programId }}>
                    simulator
                  </Link>
                  .
                </>
              )}
            </EmptyState>
          );
        return (
          <>
            {days.map(([day, transactions]) => (
              <section key={day} aria-label={dayTitle(day, now)}>
                <h3 className={classes.day}>{dayTitle(day, now)}</h3>
                <ul className={classes.list}>
                  {transactions.map((transaction) => (
                    <TimelineItem key={transaction.id} transaction={transaction} />
                  ))}
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

function byDay(transactions: TransactionDetail[]): Array<[day: string, transactions: TransactionDetail[]]> {
  const days = new Map<string, TransactionDetail[]>();
  for (const transaction of transactions) {
    const day = dayKey(parseTime(transaction.created));
    days.set(day, [...(days.get(day) ?? []), transaction]);
  }
  return [...days];
}

function dayTitle(day: string, now: Date): string {
  if (day === dayKey(now)) return 'Today';
  if (day === dayKey(new Date(now.getTime() - DAY_MS))) return 'Yesterday';
  return formatDayLong(new Date(`${day}T00:00:00Z`));
}
