import { formatCount, formatMoney } from '../../lib/money.ts';
import type { Overview } from '../../lib/types.ts';
import classes from './money-facts.module.css';

/** The program's current balances, independent of the window. */
export function MoneyFacts({ overview }: { overview: Overview }) {
  const { masterBalance, onHold, currency, totals } = overview;
  const facts = [
    ['Master balance', formatMoney(masterBalance, currency), "The program's own money, excluding holds"],
    ['On hold', formatMoney(onHold, currency), 'Approved but not yet cleared'],
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
