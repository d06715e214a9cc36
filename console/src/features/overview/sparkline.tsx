import classes from './figures.module.css';

const HEIGHT = 28;
const WIDTH = 120;
/** Keeps the line inside its box. */
const INSET = 2;

/** The values of days as a line, interrupted where there is none. `label` says what it shows. */
export function Sparkline({
  values,
  label,
  base,
}: {
  values: ReadonlyArray<number | null>;
  label: string;
  /** The value at the bottom; without it the least. */
  base?: number | undefined;
}) {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return null;
  const [least, most] = [base ?? Math.min(...known), Math.max(...known)];
  const points = values.flatMap((value, index) => {
    if (value === null) return [];
    const x = (index / (values.length - 1)) * WIDTH;
    const share = most === least ? 0.5 : (value - least) / (most - least);
    const y = HEIGHT - INSET - share * (HEIGHT - 2 * INSET);
    return `${values[index - 1] == null ? 'M' : 'L'}${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg
      className={classes.line}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={points.join('')} />
    </svg>
  );
}
