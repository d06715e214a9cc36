import { IconAlertTriangle } from '@tabler/icons-react';
import { Amount } from '../../components/amount.tsx';
import { Facts } from '../../components/page.tsx';
import { RealTime } from '../../components/real-time.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { formatCount } from '../../lib/money.ts';
import { useProgram } from '../../lib/program.ts';
import classes from './decisions-page.module.css';
import type { DecisionFailure, Endpoint, Mode } from './queries.ts';
import { failureWords, KINDS, ON_FAILURE, stateOf } from './words.ts';

export function EndpointFacts({ endpoint, mode }: { endpoint: Endpoint; mode: Mode }) {
  const { currency } = useProgram();
  const { kind, url, timeoutMs, onFailure, standIn, created } = endpoint;
  const { tone, text } = stateOf(endpoint, mode);
  return (
    <>
      <p className={classes.head}>
        <strong className={classes.url}>{url}</strong>
        <ToneBadge tone={tone}>{text}</ToneBadge>
      </p>
      <StandInNote endpoint={endpoint} mode={mode} />
      {endpoint.lastFailure && <FailureNote failure={endpoint.lastFailure} />}
      <Facts
        rows={[
          ['Time limit', <span key="limit" className="num">{`${formatCount(timeoutMs)} ms`}</span>],
          ['Without a response', KINDS[kind].withoutAnswer ?? (onFailure && ON_FAILURE[onFailure].label)],
          ...(standIn && onFailure === 'APPROVE'
            ? ([
                [
                  'Most per purchase',
                  <Amount key="one" value={standIn.transactionLimit} currency={currency} />,
                ],
                [
                  'Most per card and day',
                  <Amount key="day" value={standIn.dailyLimit} currency={currency} />,
                ],
              ] as Array<[string, React.ReactNode]>)
            : []),
          ['Added', <RealTime key="added" value={created} />],
        ]}
      />
    </>
  );
}

/** Since when and why the endpoint gets no requests. */
function StandInNote({ endpoint, mode }: { endpoint: Endpoint; mode: Mode }) {
  const { kind, standInSince, standInReason, onFailure } = endpoint;
  if (standInSince === null || standInReason === null) return null;
  return (
    <p className={classes.note} data-reason={standInReason}>
      <IconAlertTriangle size={16} className={classes.icon} />
      <span>
        No requests since <Timestamp value={standInSince} absolute />{' '}
        {standInReason === 'paused'
          ? 'because it is paused.'
          : 'because it failed five times in a row. Single requests check whether it responds again.'}{' '}
        {onFailure ? mode !== 'STANDARD' && ON_FAILURE_NOW[onFailure] : KINDS[kind].withoutAnswer}
      </span>
    </p>
  );
}

/** The last response that could not be used, with the start of its body. */
function FailureNote({ failure }: { failure: DecisionFailure }) {
  return (
    <div className={classes.failure}>
      <p>
        <strong>Last failure</strong> <RealTime value={failure.at} />. {failureWords(failure)}
      </p>
      {failure.answerStart && <pre className={classes.body}>{failure.answerStart}</pre>}
    </div>
  );
}

const ON_FAILURE_NOW = {
  DECLINE: 'Authorizations are declined meanwhile.',
  STANDARD: 'Emboss decides authorizations as in Standard mode meanwhile.',
  APPROVE: 'Authorizations within the limits are approved meanwhile.',
} as const;
