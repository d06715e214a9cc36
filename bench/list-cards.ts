import type { Figure } from './figures.ts';
import { fillCards } from './fill-cards.ts';
import { type Filtering, timeFilters } from './list-filters.ts';
import { timeLists } from './list-pages.ts';
import { DESIGN, type Stage } from './stage.ts';

const DAY_MS = 86_400_000;
const DAYS = 300;
const AT_MOST = 1.5;
const FILL_LIMIT_S = 120;

const FILTERS: Filtering[] = [
  { name: 'externalCustomerId', one: 'customer-7', none: 'none' },
  { name: 'status', common: 'ACTIVE', none: 'BLOCKED' },
  { name: 'cardDesign', common: DESIGN, none: 'none' },
  { name: 'metadata[team]', none: 'none' },
  { name: 'cardType', common: 'virtual', none: 'physical' },
];

/** Every page of a long list of cards against the first page of a short one. */
export async function benchListCards(stage: Stage, quick: boolean): Promise<Figure[]> {
  const count = quick ? 100_000 : 1_000_000;
  const label = count.toLocaleString('en');
  const large = await stage.addProgram('Large');
  const small = await stage.addProgram('Small');
  const to = new Date(Date.now() - DAY_MS / 24);
  const from = new Date(to.getTime() - DAYS * DAY_MS);
  await fillCards(stage.db, stage.vault, small.program, { designId: DESIGN, count: 10_000, from, to });
  const started = performance.now();
  await fillCards(stage.db, stage.vault, large.program, { designId: DESIGN, count, from, to });
  const fillS = (performance.now() - started) / 1000;
  const pages = await timeLists(stage, {
    path: '/api/v1/merchant/cards/',
    small: { key: small.key, label: '10,000' },
    large: { key: large.key, label, count },
    from,
    days: DAYS,
    rounds: quick ? 50 : 300,
    atMost: AT_MOST,
  });
  const filtered = await timeFilters(
    stage,
    '/api/v1/merchant/cards/',
    { small: small.key, large: large.key },
    FILTERS,
    quick ? 10 : 50,
  );
  return [fillFigure(label, fillS), ...pages, ...filtered];
}

const fillFigure = (label: string, seconds: number): Figure => ({
  name: `fill ${label} cards`,
  measured: `${seconds.toFixed(0)} s`,
  against: `${FILL_LIMIT_S} s`,
  ratio: seconds / FILL_LIMIT_S,
  limit: { atMost: 1 },
});
