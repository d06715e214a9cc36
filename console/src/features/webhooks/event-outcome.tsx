import { Fragment } from 'react';
import { ToneBadge } from '../../components/status-badge.tsx';
import { formatTime, parseTime } from '../../lib/time.ts';
import { answerWords, DELIVERY_STATES, stateOf, stateWords } from './delivery-state.ts';
import classes from './event-detail.module.css';
import type { Delivery } from './queries.ts';

/** The states of an event's deliveries, worst first. */
export function Outcome({ deliveries }: { deliveries: Delivery[] }) {
  if (deliveries.length === 0) return <ToneBadge tone="quiet">Not sent</ToneBadge>;
  return DELIVERY_STATES.map((state) => {
    const those = deliveries.filter((delivery) => stateOf(delivery) === state);
    const [first] = those;
    if (!first) return null;
    const [tone, words] = stateWords(state);
    return (
      <Fragment key={state}>
        <ToneBadge tone={tone}>
          {words}
          {deliveries.length > 1 && ` (${those.length})`}
        </ToneBadge>
        {state === 'failing' && <Failing delivery={first} />}
      </Fragment>
    );
  });
}

function Failing({ delivery: { attempts, nextAttempt } }: { delivery: Delivery }) {
  const last = attempts.at(-1);
  return (
    <span className={classes.failing}>
      {last && answerWords(last)}
      {nextAttempt && `, retry at ${formatTime(parseTime(nextAttempt))}`}
    </span>
  );
}
