import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { formatCount, formatCountShort, formatMoney, formatMoneyShort } from '../../lib/money.ts';
import { DAY_MS, dayKey, formatClock, formatDayShort, parseTime } from '../../lib/time.ts';
import type { Overview } from '../../lib/types.ts';
import classes from './activity-chart.module.css';
import { type Bar, barsOf, niceCeiling, timeTicks } from './chart-scale.ts';

const BARS_HEIGHT = 216;
const GAP = 22;
const SPEND_HEIGHT = 56;
const AXIS_HEIGHT = 22;
const LEFT = 40;
const TOP = 8;
const HEIGHT = TOP + BARS_HEIGHT + GAP + SPEND_HEIGHT + AXIS_HEIGHT;

/**
 * Approvals with declines on top, and the spend below, over the same time. It uses no chart library, because one would
 * be larger than the rest of the console. For the keyboard it is a slider over time, whose value is read out.
 */
export function ActivityChart({ overview }: { overview: Overview }) {
  const { totals } = overview;
  const { ref, width } = useElementSize();
  const [chosen, setChosen] = useState<number | null>(null);
  const plotWidth = Math.max(0, width - LEFT);
  const bars = barsOf(overview, plotWidth);
  const last = bars.length - 1;
  const index = chosen === null ? null : Math.min(chosen, last);
  const bar = index === null ? undefined : bars[index];

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (event.key === 'Escape') setChosen(null);
    else if (event.key === 'Home') setChosen(0);
    else if (event.key === 'End') setChosen(last);
    else if (step !== undefined) setChosen(Math.min(last, Math.max(0, (index ?? last + 1) + step)));
    else return;
    event.preventDefault();
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT;
    setChosen(Math.min(last, Math.max(0, Math.floor((x / plotWidth) * bars.length))));
  };

  return (
    <div>
      <ul className={classes.legend}>
        <li data-kind="approved">Approved</li>
        <li data-kind="declined">Declined</li>
        <li data-kind="spend">Spend</li>
        <li className={classes.zone}>Times in UTC</li>
      </ul>
      <div
        ref={ref}
        className={classes.plot}
        style={{ height: HEIGHT }}
        role="slider"
        tabIndex={0}
        aria-label="Approvals, declines and spend over time"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={index ?? last}
        aria-valuetext={bar ? sentenceOf(bar, overview.currency) : summaryOf(overview)}
        onKeyDown={onKeyDown}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setChosen(null)}
        onBlur={() => setChosen(null)}
      >
        {plotWidth > 0 && <Drawing bars={bars} plotWidth={plotWidth} chosen={index} overview={overview} />}
        {totals.approved + totals.declined === 0 && (
          <p className={classes.nothing}>No purchases in this period.</p>
        )}
        {bar && index !== null && (
          <Tip
            bar={bar}
            currency={overview.currency}
            x={LEFT + ((index + 0.5) / bars.length) * plotWidth}
            width={width}
          />
        )}
      </div>
    </div>
  );
}

function Drawing({
  bars,
  plotWidth,
  chosen,
  overview,
}: {
  bars: Bar[];
  plotWidth: number;
  chosen: number | null;
  overview: Overview;
}) {
  const top = niceCeiling(Math.max(...bars.map(({ approved, declined }) => approved + declined)));
  const highest = Math.max(...bars.map(({ spend }) => spend));
  const topSpend = highest || 1;
  const step = plotWidth / bars.length;
  const gap = step > 12 ? 3 : step > 6 ? 2 : 1;
  const spendBase = TOP + BARS_HEIGHT + GAP + SPEND_HEIGHT;
  const spendY = (spend: number) => spendBase - (spend / topSpend) * (SPEND_HEIGHT - 4);
  const middle = (place: number) => LEFT + (place + 0.5) * step;
  const line = bars.map(({ spend }, place) => `${middle(place)},${spendY(spend)}`).join(' L');
  return (
    <svg width={LEFT + plotWidth} height={HEIGHT} aria-hidden="true" className={classes.drawing}>
      {[0, 0.25, 0.5, 0.75, 1].map((share) => {
        const y = TOP + BARS_HEIGHT * (1 - share);
        return (
          <g key={share}>
            <line x1={LEFT} x2={LEFT + plotWidth} y1={y} y2={y} className={classes.grid} />
            {(share === 0 || share === 0.5 || share === 1) && (
              <text x={LEFT - 8} y={y + 4} textAnchor="end" className={classes.label}>
                {formatCountShort(top * share)}
              </text>
            )}
          </g>
        );
      })}
      {chosen !== null && (
        <rect
          x={LEFT + chosen * step}
          y={TOP}
          width={step}
          height={spendBase - TOP}
          className={classes.chosen}
        />
      )}
      {bars.map((bar, place) => (
        <Column
          key={bar.startMs}
          bar={bar}
          x={LEFT + place * step + gap / 2}
          width={Math.max(1, step - gap)}
          top={top}
        />
      ))}
      <path
        d={`M${line} L${middle(bars.length - 1)},${spendBase} L${middle(0)},${spendBase} Z`}
        className={classes.area}
      />
      <path d={`M${line}`} className={classes.line} />
      {highest > 0 && (
        <text
          x={LEFT + plotWidth}
          y={spendBase - SPEND_HEIGHT - 4}
          textAnchor="end"
          className={classes.label}
        >
          Highest spend {formatMoneyShort(highest.toFixed(bars[0]?.spendDigits ?? 2), overview.currency)}
        </text>
      )}
      <line x1={LEFT} x2={LEFT + plotWidth} y1={spendBase} y2={spendBase} className={classes.grid} />
      {timeTicks(bars, plotWidth, overview.window).map(({ place, text }) => (
        <text key={place} x={LEFT + place * step} y={spendBase + 16} className={classes.label}>
          {text}
        </text>
      ))}
    </svg>
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
          className={classes.declined}
        />
      )}
    </>
  );
}

function Tip({ bar, currency, x, width }: { bar: Bar; currency: string; x: number; width: number }) {
  const left = x > width / 2;
  return (
    <div
      className={classes.tip}
      aria-hidden="true"
      style={left ? { right: width - x + 12, top: 12 } : { left: x + 12, top: 12 }}
    >
      <strong>{timeOf(bar)}</strong>
      <span data-kind="approved">
        Approved <b className="num">{formatCount(bar.approved)}</b>
      </span>
      <span data-kind="declined">
        Declined <b className="num">{formatCount(bar.declined)}</b>
      </span>
      <span data-kind="spend">
        Spend <b className="num">{formatMoneyShort(bar.spend.toFixed(bar.spendDigits), currency)}</b>
      </span>
    </div>
  );
}

/** A whole day ends at 24:00 of its own date; another interval that ends on a later day shows both dates. */
function timeOf({ startMs, endMs }: Bar): string {
  const [start, end] = [new Date(startMs), new Date(endMs)];
  if (startMs % DAY_MS === 0 && endMs - startMs === DAY_MS)
    return `${formatDayShort(start)}, 00:00–24:00 UTC`;
  const endDay = dayKey(start) === dayKey(end) ? '' : `${formatDayShort(end)}, `;
  return `${formatDayShort(start)}, ${formatClock(start)}–${endDay}${formatClock(end)} UTC`;
}

const sentenceOf = (bar: Bar, currency: string): string =>
  `${timeOf(bar)}: ${formatCount(bar.approved)} approved, ${formatCount(bar.declined)} declined, ${formatMoney(
    bar.spend.toFixed(bar.spendDigits),
    currency,
  )} spent`;

const summaryOf = ({ totals, currency, slices }: Overview): string =>
  `Since ${slices[0] ? formatDayShort(parseTime(slices[0].start)) : 'the start'}: ${formatCount(
    totals.approved,
  )} approved, ${formatCount(totals.declined)} declined, ${formatMoney(totals.spend, currency)} spent. Arrow keys go through time.`;
