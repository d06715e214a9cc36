import { formatCount, formatMoney } from '../../lib/money.ts';
import type { Overview } from '../../lib/types.ts';
import classes from './money-facts.module.css';

/** The program's current balances, independent of the window. */
export function MoneyFacts({ overview }: { overview: Overview }) {
  const { balance, held, available, currency, totals } = overview;
  const facts = [
    ['Balance', formatMoney(balance, currency), 'Held and available together'],
    ['Held', formatMoney(held, currency), 'Approved but not yet cleared'],
    ['Available', formatMoney(available, currency), 'Covers new authorizations'],
    ['Cards', formatCount(totals.cards), 'Created in this program'],
  ] as const;
  return (
    <dl className={classes.facts}>
      {facts.map(([label, value, meaning]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={`${classes.value} num`}>{value}</dd>
          <dd className={classes.meaning}>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
