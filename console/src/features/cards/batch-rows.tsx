import { ToneBadge } from '../../components/status-badge.tsx';
import classes from './batch.module.css';
import { type CsvRow, customerOf, nameOf } from './batch-file.ts';

/** The rows of a file, those with an error first. */
export function BatchRows({ rows, label = 'Rows of the file' }: { rows: readonly CsvRow[]; label?: string }) {
  const sorted = [...rows].sort((a, b) => Number(a.error === null) - Number(b.error === null));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached with the keyboard.
    <section className={classes.rows} aria-label={label} tabIndex={0}>
      <ul>
        {sorted.map((row) => (
          <li key={row.line} data-wrong={row.error !== null || undefined}>
            <span className={classes.line}>Line {row.line}</span>
            <span className={classes.who}>
              {nameOf(row)} <span className={classes.customer}>{customerOf(row)}</span>
            </span>
            {row.error ? (
              <span className={classes.error}>{row.error.message}</span>
            ) : (
              <ToneBadge tone="good">Valid</ToneBadge>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
