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
import classes from './rule-page.module.css';

const HEIGHT = 150;
const TOP = 8;
const BASE = TOP + HEIGHT;
const AXIS_HEIGHT = 22;
const LABEL_WIDTH = 90;
const MOST_GAP = 3;

/** The figures of a UTC day. */
export interface DayFigures {
  day: string;
  evaluated: number;
  matched: number;
  amount: string;
  /** Those of the matches that the rule turned into declines, or would have. */
  changed?: number;
}

interface Day extends DayFigures {
  startMs: number;
  endMs: number;
}

const CHANGED: Series = {
  key: 'changed',
  label: 'Declined, or would have been',
  color: 'var(--bad-strong)',
};
const MATCHED: Series = { key: 'matched', label: 'Matched', color: 'var(--quiet-strong)' };

/** How often a rule matched, by UTC day. */
export function DayChart({
  byDay,
  currency,
  summary,
}: {
  byDay: readonly DayFigures[];
  currency: string;
  summary: string;
}) {
  const days = byDay.map((figures): Day => {
    const startMs = Date.parse(`${figures.day}T00:00:00Z`);
    return { ...figures, startMs, endMs: startMs + DAY_MS };
  });
  return (
    <TimeChart
      label="Matches over time"
      height={BASE + AXIS_HEIGHT}
      series={days.some(({ changed }) => changed !== undefined) ? [CHANGED, MATCHED] : [MATCHED]}
      itemsFor={() => days}
      draw={(plot) => <Drawing plot={plot} />}
      textOf={(day, key) => formatCount(day[key as 'matched' | 'changed'] ?? 0)}
      sentenceOf={(day) =>
        `${formatCount(day.matched)} of ${formatCount(day.evaluated)} matched, ${formatMoney(day.amount, currency)}`
      }
      summary={summary}
      nothing={days.every(({ matched }) => matched === 0) && 'No matches in this period.'}
    />
  );
}

function Drawing({ plot }: { plot: Plot<Day> }) {
  const { items: days, width } = plot;
  const top = niceCeiling(Math.max(1, ...days.map(({ matched }) => matched)));
  const step = width / days.length;
  const every = Math.ceil(LABEL_WIDTH / step);
  const gap = Math.min(MOST_GAP, step / 4);
  // A minimum height, so that a single match among hundreds is visible.
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(1.5, (count / top) * HEIGHT));
  return (
    <>
      <Grid width={width} top={TOP} height={HEIGHT} labelAt={(share) => formatCountShort(top * share)} />
      <Chosen plot={plot} top={TOP} height={HEIGHT} />
      {days.map(({ day, matched, changed = 0 }, index) => {
        const bar = { x: LEFT + index * step + gap / 2, width: step - gap };
        return (
          <g key={day}>
            <rect {...bar} y={BASE - heightOf(matched)} height={heightOf(matched)} className={classes.bar} />
            <rect
              {...bar}
              y={BASE - heightOf(changed)}
              height={heightOf(changed)}
              className={classes.changed}
            />
          </g>
        );
      })}
      <BaseLine width={width} y={BASE} />
      {days.map(({ day, startMs }, index) =>
        index % every === 0 && index * step <= width - LABEL_WIDTH / 2 ? (
          <Label key={day} x={LEFT + index * step} y={BASE + 16}>
            {formatDayShort(new Date(startMs))}
          </Label>
        ) : null,
      )}
    </>
  );
}
