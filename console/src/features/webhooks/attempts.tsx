import { RealTime } from '../../components/real-time.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import classes from './attempts.module.css';
import { isGood } from './delivery-state.ts';
import type { Attempt } from './queries.ts';

/** All attempts in order: time, response and duration. */
export function Attempts({ attempts }: { attempts: Attempt[] }) {
  return (
    <ol className={classes.list} aria-label="Attempts">
      {attempts.map((attempt, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: attempts are only ever added at the end.
        <li key={index} className={classes.attempt}>
          <span className={classes.number}>{index + 1}</span>
          <AnswerBadge attempt={attempt} />
          <span className={classes.when}>
            <RealTime value={attempt.created} absolute />
          </span>
          <span className={`${classes.when} num`}>{attempt.durationMs} ms</span>
          {attempt.answerStart && <code className={classes.answer}>{attempt.answerStart}</code>}
        </li>
      ))}
    </ol>
  );
}

function AnswerBadge({ attempt }: { attempt: Attempt }) {
  const { statusCode, error } = attempt;
  if (statusCode === null) return <ToneBadge tone="bad">{error ?? 'No response'}</ToneBadge>;
  return <ToneBadge tone={isGood(attempt) ? 'good' : 'bad'}>Response {statusCode}</ToneBadge>;
}
