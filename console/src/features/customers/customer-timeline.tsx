import { IconArrowsUpDown } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { ItemsOutline } from '../../components/table-outline.tsx';
import { useProgram } from '../../lib/program.ts';
import type { Customer } from '../../lib/types.ts';
import { TimelineDays } from '../cards/timeline-days.tsx';
import { customerTimelineQuery } from './queries.ts';

const EVERY_MS = 15_000;

/** What happened to the customer and with all cards, or only the transactions. */
export function CustomerTimeline({ customer, part }: { customer: Customer; part?: 'transactions' }) {
  const { id: programId } = useProgram();
  const query = useInfiniteQuery({
    ...customerTimelineQuery(programId, customer.id, part),
    // No refresh once older pages are loaded: it would load all pages again while the operator reads.
    refetchInterval: ({ state }) => (state.data && state.data.pages.length > 1 ? false : EVERY_MS),
  });
  const digits = new Map(customer.cards.map(({ id, lastFour }) => [id, `••••\u00a0${lastFour}`]));
  return (
    <Loaded query={query} outline={<ItemsOutline rows={8} sign />}>
      {({ pages }) => {
        const entries = pages.flatMap(({ transactions, authentications, changes, notes }) => [
          ...transactions,
          ...authentications,
          ...changes,
          ...notes,
        ]);
        if (entries.length === 0)
          return (
            <EmptyState icon={IconArrowsUpDown} title="No transactions yet">
              Purchases, refunds and declined attempts with any card of this customer are listed here.
            </EmptyState>
          );
        return (
          <>
            <TimelineDays entries={entries} onCard={(cardId) => (cardId ? digits.get(cardId) : undefined)} />
            <LoadMore
              query={query}
              end={part ? 'No earlier transactions.' : 'The first card was created here.'}
            />
          </>
        );
      }}
    </Loaded>
  );
}
