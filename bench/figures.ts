/** One line of the table. */
export interface Figure {
  name: string;
  measured: string;
  against: string;
  ratio: number;
  /** Absent for information only. */
  limit?: { atMost: number } | { atLeast: number };
}

export const isMet = ({ ratio, limit }: Figure): boolean =>
  !limit || ('atMost' in limit ? ratio <= limit.atMost : ratio >= limit.atLeast);

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export const msText = (ms: number): string => `${ms.toFixed(2)} ms`;
export const rateText = (perSecond: number): string => `${Math.round(perSecond)}/s`;

const HEADINGS = ['figure', 'measured', 'against', 'ratio', 'limit', ''];

export function formatTable(figures: readonly Figure[]): string {
  const rows = [HEADINGS, ...figures.map(toRow)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => (row[column] as string).length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] as number))
      .join('  ')
      .trimEnd(),
  );
  lines.splice(
    1,
    0,
    widths
      .map((width) => '-'.repeat(width))
      .join('  ')
      .trimEnd(),
  );
  return lines.join('\n');
}

function toRow(figure: Figure): string[] {
  const { name, measured, against, ratio, limit } = figure;
  const bound = !limit ? '' : 'atMost' in limit ? `<= ${limit.atMost}` : `>= ${limit.atLeast}`;
  return [
    name,
    measured,
    against,
    ratio.toFixed(2),
    bound,
    !limit ? 'info' : isMet(figure) ? 'ok' : 'MISSED',
  ];
}
