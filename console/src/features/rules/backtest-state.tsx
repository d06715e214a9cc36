import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Facts } from '../../components/page.tsx';
import { TableOutline } from '../../components/table-outline.tsx';
import { formatCount, formatMoney } from '../../lib/money.ts';
import { useProgram } from '../../lib/program.ts';
import { DAY_MS, dayKey } from '../../lib/time.ts';
import classes from './backtest.module.css';
import { backtestMatchesQuery, type RuleBacktest } from './backtest-queries.ts';
import { periodWords, REASON_WORDS, shareWords } from './backtest-words.ts';
import { DayChart } from './day-chart.tsx';
import { MatchTable } from './matches.tsx';

export function BacktestState({ backtest }: { backtest: RuleBacktest }) {
  const { status, progress } = backtest;
  if (status === 'FAILED')
    return (
      <p className={classes.note} role="status">
        The backtest failed: a list that the rule uses was removed before its turn.
      </p>
    );
  if (status !== 'COMPLETED')
    return (
      <div className={classes.progress}>
        <progress aria-label="Progress of the backtest" max={100} value={progress} />
        <p className={classes.note} role="status">
          {status === 'QUEUED'
            ? 'Queued: one backtest of a program runs at a time.'
            : `${progress} % of the period is evaluated. The server goes on if you leave this page.`}
        </p>
      </div>
    );
  return <Figures backtest={backtest} />;
}

function Figures({ backtest }: { backtest: RuleBacktest }) {
  const { evaluated, approved, matched, alreadyDeclined, currency, approximate } = backtest;
  const { count, amount } = backtest.approvedThatWouldBeDeclined;
  return (
    <div className={classes.result}>
      <Facts
        rows={[
          [
            'Approved, would be declined',
            <Figure
              key="declined"
              value={shareWords(count, approved)}
              words={formatMoney(amount, currency)}
            />,
          ],
          [
            'Matched',
            <Figure
              key="matched"
              value={formatCount(matched)}
              words={`${formatCount(alreadyDeclined)} already declined`}
            />,
          ],
          [
            'Evaluated',
            <Figure
              key="evaluated"
              value={formatCount(evaluated)}
              words={`${formatCount(approved)} approved`}
            />,
          ],
          ['Not evaluated', <NotEvaluated key="not" {...backtest.notEvaluated} />],
        ]}
      />
      {approximate && (
        <p className={classes.note}>
          Approximate: lists of the rule, or the metadata or designs of cards, have changed since{' '}
          {periodWords({ from: backtest.from, to: backtest.from })}. They were taken as they are now.
        </p>
      )}
      <DayChart
        byDay={everyDay(backtest)}
        currency={currency}
        summary={`From ${periodWords(backtest)} ${formatCount(matched)} of ${formatCount(evaluated)} attempts matched.`}
      />
      {matched > 0 && <Matched key={backtest.id} id={backtest.id} />}
    </div>
  );
}

const Figure = ({ value, words }: { value: string; words: string }) => (
  <>
    {value}
    <span className={classes.words}>{words}</span>
  </>
);

function NotEvaluated({ count, why }: RuleBacktest['notEvaluated']) {
  const reasons = (Object.keys(REASON_WORDS) as Array<keyof typeof why>).filter((reason) => why[reason] > 0);
  return (
    <>
      {formatCount(count)}
      {reasons.map((reason) => (
        <span key={reason} className={classes.words}>
          {reasons.length > 1 && `${formatCount(why[reason])} `}
          {REASON_WORDS[reason]}
        </span>
      ))}
    </>
  );
}

/** The API leaves out days without attempts. */
function everyDay({ from, to, byDay, createdAt }: RuleBacktest) {
  const known = new Map(byDay.map((figures) => [figures.day, figures]));
  const last = createdAt.slice(0, 10) < to ? createdAt.slice(0, 10) : to;
  const days: string[] = [];
  for (let ms = Date.parse(from); ms <= Date.parse(last); ms += DAY_MS) days.push(dayKey(new Date(ms)));
  return days.map((day) => known.get(day) ?? { day, evaluated: 0, matched: 0, amount: '0' });
}

function Matched({ id }: { id: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <div>
      <Button variant="default" size="xs" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide matches' : 'Show matches'}
      </Button>
      {isShown && (
        <div className={classes.matches}>
          <BacktestMatches id={id} />
        </div>
      )}
    </div>
  );
}

function BacktestMatches({ id }: { id: string }) {
  const { id: programId } = useProgram();
  const query = useInfiniteQuery(backtestMatchesQuery(programId, id));
  return (
    <Loaded query={query} outline={<TableOutline rows={5} />}>
      {({ pages }) => (
        <>
          <MatchTable label="Matches of the backtest" rows={pages.flatMap(({ results }) => results)} />
          <LoadMore query={query} />
        </>
      )}
    </Loaded>
  );
}
