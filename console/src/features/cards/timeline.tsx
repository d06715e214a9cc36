import { IconArrowsUpDown } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { SimulatorHint } from '../../components/simulator-hint.tsx';
import { ItemsOutline } from '../../components/table-outline.tsx';
import { useProgram } from '../../lib/program.ts';
import type { CardDetails } from '../../lib/types.ts';
import { timelineQuery } from './queries.ts';
import { TimelineDays } from './timeline-days.tsx';

const EVERY_MS = 15_000;

/** The card's transactions and authentications by day, newest first. */
export function Timeline({ card }: { card: CardDetails }) {
  const { id: programId } = useProgram();
  const query = useInfiniteQuery({
    ...timelineQuery(programId, card.id),
    // No refresh once older pages are loaded: it would load all pages again while the operator reads.
    refetchInterval: ({ state }) => (state.data && state.data.pages.length > 1 ? false : EVERY_MS),
  });
  return (
    <Loaded query={query} outline={<ItemsOutline sign rows={8} />}>
      {({ pages }) => {
        const entries = pages.flatMap(({ results, authentications }) => [...results, ...authentications]);
        if (entries.length === 0)
          return (
            <EmptyState icon={IconArrowsUpDown} title="No transactions yet">
              Purchases, refunds, declined attempts and authentications with this card are listed here, with
              the reason for each decline.
              <SimulatorHint />
            </EmptyState>
          );
        return (
          <>
            <TimelineDays entries={entries} card={card} />
            <LoadMore query={query} end="No earlier transactions." />
          </>
        );
      }}
    </Loaded>
  );
}
