import { IconCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatCount } from '../../lib/money.ts';
import { useProgram } from '../../lib/program.ts';
import type { Overview } from '../../lib/types.ts';
import { declineWords } from '../transactions/filters.ts';
import { periodOf } from './period.ts';
import classes from './ranking.module.css';

/** Each reason links to its transactions. */
export function DeclineReasons({ overview }: { overview: Overview }) {
  const { declineReasons } = overview;
  const { id: programId } = useProgram();
  if (declineReasons.length === 0)
    return (
      <EmptyState icon={IconCheck} title="No declines">
        The reasons for declined purchases are counted here.
      </EmptyState>
    );
  const most = Math.max(...declineReasons.map(({ count }) => count));
  return (
    <ul className={classes.list}>
      {declineReasons.map(({ reason, meaning, count }) => (
        <li key={reason}>
          <Link
            to="/programs/$programId/transactions"
            params={{ programId }}
            search={{ decline_reason: reason, ...periodOf(overview) }}
            className={classes.row}
          >
            <span className={`${classes.name} ellipsis`} title={meaning}>
              {declineWords(reason)}
            </span>
            <span className={`${classes.count} num`}>{formatCount(count)}</span>
            <span className={classes.bar} data-tone="bad" style={{ width: `${(count / most) * 100}%` }} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
