import { Facts } from '../../components/page.tsx';
import {
  BaseLine,
  Chosen,
  Grid,
  Label,
  LEFT,
  type Plot,
  type Series,
  TimeChart,
} from '../../components/time-chart.tsx';
import { niceCeiling } from '../../lib/chart-scale.ts';
import { formatCount, formatCountShort, formatMoney } from '../../lib/money.ts';
import { DAY_MS, formatDayShort } from '../../lib/time.ts';
import type { RuleReport } from './queries.ts';
import classes from './rule-page.module.css';

const HEIGHT = 150;
const TOP = 8;
const BASE = TOP + HEIGHT;
const AXIS_HEIGHT = 22;
const LABEL_WIDTH = 90;

type Figures = RuleReport['byDay'][number];
interface Day extends Figures {
  startMs: number;
  endMs: number;
}

const SERIES: readonly Series[] = [
  { key: 'wouldHaveChanged', label: 'Declined, or would have been', color: 'var(--bad-strong)' },
  { key: 'matched', label: 'Matched', color: 'var(--quiet-strong)' },
];

/** How often a rule matched, by UTC day. */
export function ReportPanel({ report: { byDay, currency } }: { report: RuleReport }) {
  const days = byDay.map((figures): Day => {
    const startMs = Date.parse(`${figures.day}T00:00:00Z`);
    return { ...figures, startMs, endMs: startMs + DAY_MS };
  });
  const sum = (key: 'evaluated' | 'matched' | 'wouldHaveChanged') =>
    days.reduce((total, day) => total + day[key], 0);
  const amount = days.reduce((total, day) => total + Number(day.amount), 0);
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
      <TimeChart
        label="Matches over time"
        height={BASE + AXIS_HEIGHT}
        series={SERIES}
        itemsFor={() => days}
        draw={(plot) => <Drawing plot={plot} />}
        textOf={(day, key) => formatCount(day[key as 'matched' | 'wouldHaveChanged'])}
        sentenceOf={(day) =>
          `${formatCount(day.matched)} of ${formatCount(day.evaluated)} matched, ${formatMoney(day.amount, currency)}`
        }
        summary={`In the last ${days.length} days ${formatCount(matched)} of ${formatCount(evaluated)} authorizations matched.`}
        nothing={matched === 0 && 'No matches in this period.'}
      />
    </>
  );
}

function Drawing({ plot }: { plot: Plot<Day> }) {
  const { items: days, width } = plot;
  const top = niceCeiling(Math.max(1, ...days.map(({ matched }) => matched)));
  const step = width / days.length;
  const every = Math.ceil(LABEL_WIDTH / step);
  // A minimum height, so that a single match among hundreds is visible.
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(1.5, (count / top) * HEIGHT));
  return (
    <>
      <Grid width={width} top={TOP} height={HEIGHT} labelAt={(share) => formatCountShort(top * share)} />
      <Chosen plot={plot} top={TOP} height={HEIGHT} />
      {days.map(({ day, matched, wouldHaveChanged }, index) => {
        const x = LEFT + index * step + 1.5;
        const bar = { x, width: Math.max(1, step - 3) };
        return (
          <g key={day}>
            <rect {...bar} y={BASE - heightOf(matched)} height={heightOf(matched)} className={classes.bar} />
            <rect
              {...bar}
              y={BASE - heightOf(wouldHaveChanged)}
              height={heightOf(wouldHaveChanged)}
              className={classes.changed}
            />
          </g>
        );
      })}
      <BaseLine width={width} y={BASE} />
      {days.map(({ day, startMs }, index) =>
        index % every === 0 ? (
          <Label key={day} x={LEFT + index * step} y={BASE + 16}>
            {formatDayShort(new Date(startMs))}
          </Label>
        ) : null,
      )}
    </>
  );
}
