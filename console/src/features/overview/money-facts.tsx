import { formatCount, formatMoney } from '../../lib/money.ts';
import type { Overview } from '../../lib/types.ts';
import classes from './money-facts.module.css';

/** The program's money as it stands now, whatever the window. */
export function MoneyFacts({ overview }: { overview: Overview }) {
  const { masterBalance, onHold, currency, totals } = overview;
  const facts = [
    [
      'Master balance',
      formatMoney(masterBalance, currency),
      "The program's own money, without what is on hold",
    ],
    ['On hold', formatMoney(onHold, currency), 'Approved, and waiting for the merchant to clear it'],
    ['Cards', formatCount(totals.cards), 'Ever made in this program'],
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
