import { Facts } from '../../components/page.tsx';
import { formatCount, formatMoney } from '../../lib/money.ts';
import { DayChart } from './day-chart.tsx';
import type { RuleReport } from './queries.ts';
import classes from './rule-page.module.css';

/** How often a rule matched, by UTC day. */
export function ReportPanel({ report: { byDay, currency } }: { report: RuleReport }) {
  const sum = (key: 'evaluated' | 'matched' | 'wouldHaveChanged') =>
    byDay.reduce((total, day) => total + day[key], 0);
  const amount = byDay.reduce((total, day) => total + Number(day.amount), 0);
  const [evaluated, matched, changed] = [sum('evaluated'), sum('matched'), sum('wouldHaveChanged')];
  return (
    <>
      <div className={classes.numbers}>
        <Facts
          rows={[
            ['Evaluated', formatCount(evaluated)],
            ['Matched', formatCount(matched)],
            ['Declined, or would have been', formatCount(changed)],
            ['Amount of the matches', formatMoney(amount, currency)],
          ]}
        />
      </div>
      <DayChart
        byDay={byDay.map(({ wouldHaveChanged: changed, ...day }) => ({ ...day, changed }))}
        currency={currency}
        summary={`In the last ${byDay.length} days ${formatCount(matched)} of ${formatCount(evaluated)} authorizations matched.`}
      />
    </>
  );
}
