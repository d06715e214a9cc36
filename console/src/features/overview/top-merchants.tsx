import { IconShoppingCart } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatCount, formatMoney } from '../../lib/money.ts';
import { useProgram } from '../../lib/program.ts';
import type { Overview } from '../../lib/types.ts';
import { periodOf } from './period.ts';
import classes from './ranking.module.css';

export function TopMerchants({ overview }: { overview: Overview }) {
  const { topMerchants, currency } = overview;
  const { id: programId } = useProgram();
  if (topMerchants.length === 0)
    return (
      <EmptyState icon={IconShoppingCart} title="No purchases yet">
        The merchants with the highest spend are listed here after the first purchase.
      </EmptyState>
    );
  const most = Math.max(...topMerchants.map(({ spend }) => Number(spend)));
  return (
    <ul className={classes.list}>
      {topMerchants.slice(0, 7).map(({ name, count, spend }) => (
        <li key={name}>
          <Link
            to="/programs/$programId/transactions"
            params={{ programId }}
            search={{ merchant: name, ...periodOf(overview) }}
            className={classes.row}
          >
            <span className={`${classes.name} ellipsis`} title={name}>
              <span className={classes.aside}>{formatCount(count)} ×</span> {name}
            </span>
            <span className={`${classes.count} num`}>{formatMoney(spend, currency)}</span>
            <span className={classes.bar} style={{ width: `${(Number(spend) / most) * 100}%` }} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
