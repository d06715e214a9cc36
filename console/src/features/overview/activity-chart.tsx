import { useNavigate } from '@tanstack/react-router';
import {
  Chosen,
  Grid,
  Label,
  LEFT,
  type Plot,
  type Series,
  TimeChart,
} from '../../components/time-chart.tsx';
import { niceCeiling, timeTicks } from '../../lib/chart-scale.ts';
import { formatCount, formatCountShort, formatMoney, formatMoneyShort } from '../../lib/money.ts';
import { useProgram } from '../../lib/program.ts';
import { formatDayShort, parseTime } from '../../lib/time.ts';
import type { Overview } from '../../lib/types.ts';
import classes from './activity-chart.module.css';
import { type Bar, barsOf } from './bars.ts';
import { purchasesOf } from './period.ts';

const BARS_HEIGHT = 216;
const GAP = 22;
const SPEND_HEIGHT = 76;
const AXIS_HEIGHT = 22;
const TOP = 8;
const SPEND_BASE = TOP + BARS_HEIGHT + GAP + SPEND_HEIGHT;

const AXIS = { notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 } as const;

const SERIES: readonly Series[] = [
  { key: 'approved', label: 'Approved', color: 'var(--chart-approved)' },
  { key: 'declined', label: 'Declined', color: 'var(--bad-strong)' },
  { key: 'spend', label: 'Spend', color: 'var(--good-strong)', shape: 'line' },
];

/** Approvals with declines on top, and the spend below, over the same time. */
export function ActivityChart({ overview }: { overview: Overview }) {
  const { totals, currency } = overview;
  const { id: programId } = useProgram();
  const navigate = useNavigate();
  const spendOf = ({ spend, spendDigits }: Bar) => spend.toFixed(spendDigits);
  return (
    <TimeChart
      label="Approvals, declines and spend over time"
      height={SPEND_BASE + AXIS_HEIGHT}
      series={SERIES}
      itemsFor={(width) => barsOf(overview, width)}
      draw={(plot) => <Drawing plot={plot} overview={overview} />}
      textOf={(bar, key) =>
        key === 'spend'
          ? formatMoneyShort(spendOf(bar), currency)
          : formatCount(bar[key as 'approved' | 'declined'])
      }
      sentenceOf={(bar) =>
        `${formatCount(bar.approved)} approved, ${formatCount(bar.declined)} declined, ${formatMoney(spendOf(bar), currency)} spent`
      }
      summary={summaryOf(overview)}
      choice={{
        words: 'Enter opens the purchases, Shift and Enter those declined.',
        isOffered: ({ approved, declined }) => approved + declined > 0,
        open: (bar, series) =>
          void navigate({
            to: '/programs/$programId/transactions',
            params: { programId },
            search: purchasesOf(bar, series),
          }),
        further: 'declined',
      }}
      nothing={totals.approved + totals.declined === 0 && 'No purchases in this period.'}
    />
  );
}

function Drawing({ plot, overview }: { plot: Plot<Bar>; overview: Overview }) {
  const { items: bars, width } = plot;
  const top = niceCeiling(Math.max(...bars.map(({ approved, declined }) => approved + declined)));
  const topSpend = niceCeiling(Math.max(...bars.map(({ spend }) => spend)));
  const step = width / bars.length;
  const gap = step > 12 ? 3 : step > 6 ? 2 : 1;
  const spendY = (spend: number) => SPEND_BASE - (spend / topSpend) * SPEND_HEIGHT;
  const middle = (index: number) => LEFT + (index + 0.5) * step;
  const line = bars.map(({ spend }, index) => `${middle(index)},${spendY(spend)}`).join(' L');
  return (
    <>
      <Grid width={width} top={TOP} height={BARS_HEIGHT} labelAt={(share) => formatCountShort(top * share)} />
      <Grid
        width={width}
        top={SPEND_BASE - SPEND_HEIGHT}
        height={SPEND_HEIGHT}
        labelAt={(share) => formatMoney(topSpend * share, overview.currency, AXIS)}
      />
      <Chosen plot={plot} top={TOP} height={SPEND_BASE - TOP} />
      {bars.map((bar, index) => (
        <Column
          key={bar.startMs}
          bar={bar}
          x={LEFT + index * step + gap / 2}
          width={Math.max(1, step - gap)}
          top={top}
        />
      ))}
      <path
        d={`M${line} L${middle(bars.length - 1)},${SPEND_BASE} L${middle(0)},${SPEND_BASE} Z`}
        className={classes.area}
      />
      <path d={`M${line}`} className={classes.line} />
      {timeTicks(bars, width, overview.window).map(({ position, text }) => (
        <Label key={position} x={LEFT + position * step} y={SPEND_BASE + 16}>
          {text}
        </Label>
      ))}
    </>
  );
}
function Column({ bar, x, width, top }: { bar: Bar; x: number; width: number; top: number }) {
  const base = TOP + BARS_HEIGHT;
  const approved = (bar.approved / top) * BARS_HEIGHT;
  // A minimum height, so that a single decline among thousands is visible.
  const declined = bar.declined === 0 ? 0 : Math.max(1.5, (bar.declined / top) * BARS_HEIGHT);
  const round = Math.min(2, width / 3);
  return (
    <>
      {approved > 0 && (
        <rect
          x={x}
          y={base - approved}
          width={width}
          height={approved}
          rx={round}
          data-series="approved"
          className={classes.approved}
        />
      )}
      {declined > 0 && (
        <rect
          x={x}
          y={base - approved - declined - (approved > 0 ? 1 : 0)}
          width={width}
          height={declined}
          rx={round}
          data-series="declined"
          className={classes.declined}
        />
      )}
    </>
  );
}

const summaryOf = ({ totals, currency, slices }: Overview): string =>
  `Since ${slices[0] ? formatDayShort(parseTime(slices[0].start)) : 'the start'}: ${formatCount(
    totals.approved,
  )} approved, ${formatCount(totals.declined)} declined, ${formatMoney(totals.spend, currency)} spent.`;
