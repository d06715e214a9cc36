import { useNavigate } from '@tanstack/react-router';
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
import { niceCeiling, timeTicks } from '../../lib/chart-scale.ts';
import { formatCount, formatCountShort } from '../../lib/money.ts';
import { useProgram } from '../../lib/program.ts';
import { HOUR_MS, parseTime } from '../../lib/time.ts';
import { purchasesOf } from '../overview/period.ts';
import classes from './decisions-page.module.css';
import type { DecisionTimes } from './queries.ts';

const TIMES_HEIGHT = 176;
const GAP = 26;
const FAILED_HEIGHT = 56;
const AXIS_HEIGHT = 22;
const TOP = 8;
const BASE = TOP + TIMES_HEIGHT + GAP + FAILED_HEIGHT;

const SERIES: readonly Series[] = [
  { key: 'p50Ms', label: 'Half within (p50), ms', color: 'var(--good-strong)', shape: 'line' },
  { key: 'p99Ms', label: '99% within (p99), ms', color: 'var(--cool-strong)', shape: 'line' },
  { key: 'timeouts', label: 'Timeouts', color: 'var(--bad-strong)' },
  { key: 'failures', label: 'Other failures', color: 'var(--warn-strong)' },
];
type Key = 'p50Ms' | 'p99Ms' | 'timeouts' | 'failures';

type Slice = DecisionTimes['slices'][number];
interface Hour extends Omit<Slice, 'start'> {
  startMs: number;
  endMs: number;
}

/** How long half and 99 % of the decisions took at most, and below it the failures, by the hour. */
export default function TimesChart({ times: { slices } }: { times: DecisionTimes }) {
  const hours = slices.map(({ start, ...sums }): Hour => {
    const startMs = parseTime(start).getTime();
    return { startMs, endMs: startMs + HOUR_MS, ...sums };
  });
  const sum = (key: 'answered' | 'timeouts' | 'failures') =>
    hours.reduce((total, hour) => total + hour[key], 0);
  const { id: programId } = useProgram();
  const navigate = useNavigate();
  const [answered, timeouts, failures] = [sum('answered'), sum('timeouts'), sum('failures')];
  return (
    <>
      <TimeChart
        label="Response times and failures of your server over time"
        height={BASE + AXIS_HEIGHT}
        series={SERIES}
        itemsFor={() => hours}
        draw={(plot) => <Drawing plot={plot} />}
        textOf={(hour, key) => shown(hour[key as Key])}
        sentenceOf={sentenceOf}
        summary={`In the last 24 hours: ${countWords({ answered, timeouts, failures })}.`}
        choice={{
          words: 'Enter opens the purchases.',
          isOffered: (hour) => hour.answered + hour.timeouts + hour.failures > 0,
          open: (hour) =>
            void navigate({
              to: '/programs/$programId/transactions',
              params: { programId },
              search: purchasesOf(hour),
            }),
        }}
        nothing={answered + timeouts + failures === 0 && 'No decision requests in the last 24 hours.'}
      />
      {hours.some(({ sampled }) => sampled) && (
        <p className={classes.sample}>
          Busy hours are sampled: their counts are those of up to 600 events, spread over the hour.
        </p>
      )}
    </>
  );
}

const shown = (value: number | null): string => (value === null ? '–' : formatCount(value));

const countWords = ({ answered, timeouts, failures }: Pick<Slice, 'answered' | 'timeouts' | 'failures'>) =>
  `${formatCount(answered)} decided by your server, ${formatCount(timeouts)} timeouts, ${formatCount(failures)} other failures`;

const sentenceOf = ({ p50Ms, p99Ms, ...counts }: Hour): string =>
  p50Ms === null
    ? countWords(counts)
    : `half within ${shown(p50Ms)} ms, 99% within ${shown(p99Ms)} ms; ${countWords(counts)}`;

function Drawing({ plot }: { plot: Plot<Hour> }) {
  const { items: hours, width } = plot;
  const top = niceCeiling(Math.max(0, ...hours.map(({ p99Ms }) => p99Ms ?? 0)));
  const mostFailed = Math.max(0, ...hours.map(({ timeouts, failures }) => timeouts + failures));
  const step = width / hours.length;
  const y = (ms: number) => TOP + TIMES_HEIGHT * (1 - ms / top);
  const x = (index: number) => LEFT + (index + 0.5) * step;
  return (
    <>
      <Grid
        width={width}
        top={TOP}
        height={TIMES_HEIGHT}
        labelAt={(share) => formatCountShort(top * share)}
      />
      <Chosen plot={plot} top={TOP} height={BASE - TOP} />
      {(['p99Ms', 'p50Ms'] as const).map((key) => (
        <Line key={key} values={hours.map((hour) => hour[key])} x={x} y={y} color={colorOf(key)} />
      ))}
      {hours.map((hour, index) => (
        <Failed
          key={hour.startMs}
          hour={hour}
          x={LEFT + index * step + 1.5}
          width={Math.max(1, step - 3)}
          most={mostFailed}
        />
      ))}
      {mostFailed > 0 && (
        <Label x={LEFT + width} y={BASE - FAILED_HEIGHT - 6} end>
          {`Most failures in an hour: ${formatCount(mostFailed)}`}
        </Label>
      )}
      <BaseLine width={width} y={BASE} />
      {timeTicks(hours, width, '24h').map(({ position, text }) => (
        <Label key={position} x={LEFT + position * step} y={BASE + 16}>
          {text}
        </Label>
      ))}
    </>
  );
}

const colorOf = (key: Key): string => SERIES.find((series) => series.key === key)?.color ?? '';

/** A line with a dot for each value, interrupted where there is none. */
function Line({
  values,
  x,
  y,
  color,
}: {
  values: Array<number | null>;
  x: (index: number) => number;
  y: (ms: number) => number;
  color: string;
}) {
  const points = values.flatMap((ms, hour) => (ms === null ? [] : [{ hour, at: `${x(hour)},${y(ms)}`, ms }]));
  const path = points.map(({ hour, at }, index) =>
    points[index - 1]?.hour === hour - 1 ? `L${at}` : `M${at}`,
  );
  return (
    <>
      <path d={path.join(' ')} fill="none" stroke={color} strokeWidth={1.75} strokeLinejoin="round" />
      {points.map(({ hour, ms }) => (
        <circle key={hour} cx={x(hour)} cy={y(ms)} r={2.5} fill={color} />
      ))}
    </>
  );
}

function Failed({
  hour: { timeouts, failures },
  x,
  width,
  most,
}: {
  hour: Hour;
  x: number;
  width: number;
  most: number;
}) {
  if (timeouts + failures === 0) return null;
  // A minimum height, so that a single failure among many is visible.
  const height = (count: number) => (count === 0 ? 0 : Math.max(1.5, (count / most) * (FAILED_HEIGHT - 4)));
  const [lower, upper] = [height(timeouts), height(failures)];
  return (
    <>
      <rect x={x} y={BASE - lower} width={width} height={lower} fill={colorOf('timeouts')} />
      <rect x={x} y={BASE - lower - upper} width={width} height={upper} fill={colorOf('failures')} />
    </>
  );
}
