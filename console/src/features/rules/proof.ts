import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { formatMoney } from '../../lib/money.ts';
import { useProgram } from '../../lib/program.ts';
import { DAY_MS, parseTime } from '../../lib/time.ts';
import { useNow } from '../../lib/use-now.ts';
import { backtestsQuery } from './backtest-queries.ts';
import { periodWords, shareWords } from './backtest-words.ts';
import { type Rule, reportQuery } from './queries.ts';

export const GUARD_DAYS = 7;

interface Proof {
  /** On the button. */
  number: string | undefined;
  /** Each source in a sentence. */
  sentences: string[];
}

/**
 * How many approvals a rule in SHADOW would have declined: in the last 7 days, and by its newest finished backtest, which has
 * the better number until the rule has been in SHADOW for so long.
 */
export function useProof(rule: Rule): Proof {
  const { id: programId } = useProgram();
  const now = useNow();
  const isAsked = rule.status === 'SHADOW' && rule.action !== 'FLAG';
  const { data: report } = useQuery({ ...reportQuery(programId, rule.id), enabled: isAsked });
  const { data: list } = useInfiniteQuery({ ...backtestsQuery(programId, rule.id), enabled: isAsked });
  if (!isAsked || !report || !list) return { number: undefined, sentences: [] };
  const { approvals, wouldDecline } = report.lastWeek;
  const backtest = list.pages
    .flatMap(({ results }) => results)
    .find(({ status, approved }) => status === 'COMPLETED' && approved > 0);
  const ofWeek = approvals === 0 ? undefined : shareWords(wouldDecline, approvals, 'approvals');
  const found = backtest?.approvedThatWouldBeDeclined;
  const ofBacktest = backtest && found && shareWords(found.count, backtest.approved, 'approvals');
  const isLongInShadow =
    rule.shadowSince !== null && now.getTime() - parseTime(rule.shadowSince).getTime() >= GUARD_DAYS * DAY_MS;
  return {
    number: isLongInShadow ? (ofWeek ?? ofBacktest) : (ofBacktest ?? ofWeek),
    sentences: [
      ofWeek
        ? `In the last ${GUARD_DAYS} days it would have declined ${ofWeek}.`
        : `The program has no approvals in the last ${GUARD_DAYS} days.`,
      ...(backtest && found
        ? [
            `Its newest backtest, ${periodWords(backtest)}, would have declined ${ofBacktest}, ${formatMoney(found.amount, backtest.currency)}.`,
          ]
        : ['It has no finished backtest.']),
    ],
  };
}
