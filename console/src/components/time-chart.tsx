import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react';
import { DAY_MS, dayKey, formatClock, formatDayShort } from '../lib/time.ts';
import classes from './time-chart.module.css';

export interface Interval {
  startMs: number;
  endMs: number;
}

export interface Series {
  key: string;
  label: string;
  color: string;
  shape?: 'line';
}

export interface Plot<Item> {
  items: Item[];
  /** Of the part to the right of the labels, which begins at `LEFT`. */
  width: number;
  /** The item under the pointer or chosen by the keyboard. */
  chosen: number | null;
}

/** What a click on an item opens: everything, or one series (an element of the drawing with `data-series`). */
export interface Choice<Item> {
  /** How the keyboard does it. */
  words: string;
  isOffered: (item: Item) => boolean;
  open: (item: Item, series: string | undefined) => void;
  /** The series that Shift and Enter open. */
  further?: string;
}

/** The width of the labels on the left. */
export const LEFT = 40;

/**
 * A chart over time with a legend. It uses no chart library, because one would be larger than the rest of the console.
 * For the keyboard it is a slider over time, whose value is read out.
 */
export function TimeChart<Item extends Interval>({
  label,
  height,
  series,
  itemsFor,
  draw,
  textOf,
  sentenceOf,
  summary,
  nothing,
  choice,
}: {
  label: string;
  height: number;
  series: readonly Series[];
  /** The items for a plot of this width. */
  itemsFor: (width: number) => Item[];
  draw: (plot: Plot<Item>) => ReactNode;
  /** The value of a series in the box that follows the pointer. */
  textOf: (item: Item, key: string) => string;
  sentenceOf: (item: Item) => string;
  /** Read out before an item is chosen. */
  summary: string;
  /** Shown in place of an empty chart. */
  nothing: string | false;
  choice?: Choice<Item>;
}) {
  const { ref, width: whole } = useElementSize();
  const [selected, setSelected] = useState<number | null>(null);
  const width = Math.max(0, whole - LEFT);
  const items = itemsFor(width);
  const last = items.length - 1;
  const chosen = selected === null ? null : Math.min(selected, last);
  const item = chosen === null ? undefined : items[chosen];

  const isOffered = item !== undefined && choice?.isOffered(item) === true;
  const open = (from: Item | undefined, part: string | undefined) => {
    if (from && choice?.isOffered(from)) choice.open(from, part);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (event.key === 'Enter') open(item, event.shiftKey ? choice?.further : undefined);
    else if (event.key === 'Escape') setSelected(null);
    else if (event.key === 'Home') setSelected(0);
    else if (event.key === 'End') setSelected(last);
    else if (step !== undefined) setSelected(Math.min(last, Math.max(0, (chosen ?? last + 1) + step)));
    else return;
    event.preventDefault();
  };
  const indexAt = (event: MouseEvent<HTMLDivElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT;
    return Math.min(last, Math.max(0, Math.floor((x / width) * items.length)));
  };

  return (
    <div>
      <ul className={classes.legend}>
        {series.map((each) => (
          <li key={each.key}>
            <Mark series={each} />
            {each.label}
          </li>
        ))}
        <li className={classes.zone}>Times in UTC</li>
      </ul>
      <div
        ref={ref}
        className={classes.plot}
        style={{ height }}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={chosen ?? last}
        aria-valuetext={
          item
            ? `${timeOf(item)}: ${sentenceOf(item)}`
            : [summary, 'Arrow keys go through time.', choice?.words].filter(Boolean).join(' ')
        }
        onKeyDown={onKeyDown}
        onPointerMove={(event) => setSelected(indexAt(event))}
        onClick={(event) => open(items[indexAt(event)], (event.target as SVGElement).dataset.series)}
        data-offered={isOffered || undefined}
        onPointerLeave={() => setSelected(null)}
        onBlur={() => setSelected(null)}
      >
        {width > 0 && (
          <svg width={LEFT + width} height={height} aria-hidden="true" className={classes.drawing}>
            {draw({ items, width, chosen })}
          </svg>
        )}
        {nothing && <p className={classes.nothing}>{nothing}</p>}
        {item && chosen !== null && (
          <Tip x={LEFT + ((chosen + 0.5) / items.length) * width} whole={whole}>
            <strong>{timeOf(item)}</strong>
            {series.map((each) => (
              <span key={each.key} className={classes.line}>
                <Mark series={each} />
                {each.label} <b className="num">{textOf(item, each.key)}</b>
              </span>
            ))}
            {isOffered && <span className={classes.hint}>Click or Enter: the list</span>}
          </Tip>
        )}
      </div>
    </div>
  );
}

function Mark({ series: { color, shape } }: { series: Series }) {
  return <span className={classes.mark} data-shape={shape} style={{ background: color }} />;
}

/** On the side with more room. */
function Tip({ x, whole, children }: { x: number; whole: number; children: ReactNode }) {
  const side = x > whole / 2 ? { right: whole - x + 12 } : { left: x + 12 };
  return (
    <div className={classes.tip} aria-hidden="true" style={{ ...side, top: 12 }}>
      {children}
    </div>
  );
}

/** Horizontal lines with labels at the bottom, in the middle and at the top. */
export function Grid({
  width,
  top,
  height,
  labelAt,
}: {
  width: number;
  top: number;
  height: number;
  labelAt: (share: number) => string;
}) {
  return [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const y = top + height * (1 - share);
    return (
      <g key={share}>
        <line x1={LEFT} x2={LEFT + width} y1={y} y2={y} className={classes.grid} />
        {share % 0.5 === 0 && (
          <text x={LEFT - 8} y={y + 4} textAnchor="end" className={classes.label}>
            {labelAt(share)}
          </text>
        )}
      </g>
    );
  });
}

export function BaseLine({ width, y }: { width: number; y: number }) {
  return <line x1={LEFT} x2={LEFT + width} y1={y} y2={y} className={classes.grid} />;
}

/** Highlights the chosen item. */
export function Chosen({
  plot: { items, width, chosen },
  top,
  height,
}: {
  plot: Plot<Interval>;
  top: number;
  height: number;
}) {
  if (chosen === null) return null;
  const step = width / items.length;
  return <rect x={LEFT + chosen * step} y={top} width={step} height={height} className={classes.chosen} />;
}

export function Label({
  x,
  y,
  end = false,
  children,
}: {
  x: number;
  y: number;
  end?: boolean;
  children: string;
}) {
  return (
    <text x={x} y={y} textAnchor={end ? 'end' : 'start'} className={classes.label}>
      {children}
    </text>
  );
}

/** A whole day ends at 24:00 of its own date; another interval that ends on a later day shows both dates. */
function timeOf({ startMs, endMs }: Interval): string {
  const [start, end] = [new Date(startMs), new Date(endMs)];
  if (startMs % DAY_MS === 0 && endMs - startMs === DAY_MS)
    return `${formatDayShort(start)}, 00:00–24:00 UTC`;
  const endDay = dayKey(start) === dayKey(end) ? '' : `${formatDayShort(end)}, `;
  return `${formatDayShort(start)}, ${formatClock(start)}–${endDay}${formatClock(end)} UTC`;
}
