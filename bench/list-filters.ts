import { type Figure, median } from './figures.ts';
import { type Line, openLine } from './http-load.ts';
import type { Stage } from './stage.ts';

/** A filter with a value that almost all rows have, one that one row has, and one that none has. */
export type Filtering = { name: string; common?: string; one?: string; none: string };

const LIMIT = { atMost: 2 };

/** Pages with filters of a long list against the same pages of a short one, in turn. */
export async function timeFilters(
  stage: Stage,
  path: string,
  keys: Record<'small' | 'large', string>,
  filters: readonly Filtering[],
  rounds: number,
): Promise<Figure[]> {
  const small = await openLine({ url: stage.server.url, key: keys.small });
  const large = await openLine({ url: stage.server.url, key: keys.large });
  const figures: Figure[] = [];
  try {
    for (const { name, ...values } of filters)
      for (const [kind, value] of Object.entries(values)) {
        const page = `${path}?${new URLSearchParams({ [name]: value })}`;
        const times = await timeInTurn(small, large, page, rounds);
        figures.push({
          name: `${path.split('/').at(-2)}, ${name}, ${kind}`,
          measured: `${times.large.toFixed(1)} ms`,
          against: `of the short list ${times.small.toFixed(1)} ms`,
          ratio: times.large / times.small,
          limit: LIMIT,
        });
      }
    return figures;
  } finally {
    small.close();
    large.close();
  }
}

async function timeInTurn(small: Line, large: Line, path: string, rounds: number) {
  const times = { small: [] as number[], large: [] as number[] };
  for (let round = -3; round < rounds; round++)
    for (const [name, line] of [
      ['small', small],
      ['large', large],
    ] as const) {
      const sent = performance.now();
      await line.send({ method: 'GET', path });
      if (round >= 0) times[name].push(performance.now() - sent);
    }
  return { small: median(times.small), large: median(times.large) };
}
