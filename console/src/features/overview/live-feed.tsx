import { Button } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Delayed } from '../../components/delayed.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Panel } from '../../components/page.tsx';
import { SimulatorHint } from '../../components/simulator-hint.tsx';
import { SpentAmount } from '../../components/spent-amount.tsx';
import { ItemsOutline } from '../../components/table-outline.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useProgram } from '../../lib/program.ts';
import type { LiveEvent } from '../../lib/types.ts';
import { foldRepeats } from '../limits/fold.ts';
import { eventAmount } from '../transactions/decision-words.ts';
import { describeEvent, pageOf } from './describe-event.ts';
import classes from './live-feed.module.css';
import { liveQuery } from './queries.ts';

/** Shows events as they happen. It can be paused. */
export function LiveFeed() {
  const { id: programId } = useProgram();
  const queryClient = useQueryClient();
  const [paused, setPaused] = useState(false);
  const { data, error, refetch } = useQuery(liveQuery(programId, queryClient, paused));
  return (
    <Panel
      title="Live"
      flush
      actions={
        <span className={classes.state}>
          <span
            className={classes.pulse}
            data-paused={paused || error ? true : undefined}
            aria-hidden="true"
          />
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            fw={500}
            onClick={() => setPaused(!paused)}
            aria-label={paused ? 'Resume live events' : 'Pause live events'}
          >
            {paused ? 'Resume' : 'Pause'}
          </Button>
        </span>
      }
    >
      <div className={classes.feed}>
        {!data && !error && (
          <Delayed>
            <ItemsOutline rows={8} />
          </Delayed>
        )}
        {!data && error && <ErrorPanel error={error} retry={() => void refetch()} />}
        {data?.events.length === 0 && <Quiet />}
        <ul className={classes.list} aria-label="Live events">
          {foldRepeats(data?.events ?? [], declineKey).map(([event, ...repeats]) =>
            event ? (
              <li key={event.id} className={classes.item}>
                <EventLine event={event} programId={programId} repeats={repeats} />
              </li>
            ) : null,
          )}
        </ul>
      </div>
    </Panel>
  );
}

/** Declines of one card at one merchant for one reason are repeats. */
const declineKey = ({ cardId, merchant, declineReason }: LiveEvent): string | null =>
  declineReason && `${cardId} ${declineReason} ${merchant}`;

function EventLine({
  event,
  programId,
  repeats,
}: {
  event: LiveEvent;
  programId: string;
  repeats: LiveEvent[];
}) {
  const { title, tone, detail } = describeEvent(event);
  const first = repeats.at(-1);
  const words = (
    <>
      <span className={classes.mark} data-tone={tone} aria-hidden="true" />
      <span className={classes.words}>
        <span className={classes.title}>
          {title}
          {first && ` (${repeats.length + 1} times)`}
        </span>
        <span className={`${classes.detail} ellipsis`}>
          {detail}
          {first && (
            <>
              {' '}
              · since <Timestamp value={first.created} clock />
            </>
          )}
        </span>
      </span>
      <span className={classes.end}>
        {event.total && event.billCurrency && (
          <SpentAmount value={eventAmount(event, event.total)} currency={event.billCurrency} />
        )}
        <span className={classes.time}>
          <Timestamp value={event.created} />
        </span>
      </span>
    </>
  );
  if (event.transactionId)
    return (
      <Link
        to="/programs/$programId/transactions/$transactionId"
        params={{ programId, transactionId: event.transactionId }}
        className={classes.line}
        preload={false}
      >
        {words}
      </Link>
    );
  if (event.cardId)
    return (
      <Link
        to="/programs/$programId/cards/$cardId"
        params={{ programId, cardId: event.cardId }}
        className={classes.line}
        preload={false}
      >
        {words}
      </Link>
    );
  return (
    <Link
      to={`/programs/$programId/${pageOf(event.name).page}`}
      params={{ programId }}
      className={classes.line}
      preload={false}
    >
      {words}
    </Link>
  );
}

const Quiet = () => (
  <EmptyState icon={IconClock} title="No events yet">
    Authorizations, clearings and card changes appear here within seconds.
    <SimulatorHint />
  </EmptyState>
);
