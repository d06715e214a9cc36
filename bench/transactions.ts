import { createHash } from 'node:crypto';
import { networkTarget, spreadOver } from './authorize.ts';
import { type Figure, median } from './figures.ts';
import { fillNumberedCards } from './fill-numbers.ts';
import { fillTransactions, TABLES } from './fill-transactions.ts';
import { sendLoad } from './http-load.ts';
import { type Filtering, timeFilters } from './list-filters.ts';
import { timeLists } from './list-pages.ts';
import { forgetMilestones, vacuumAll } from './queries.ts';
import type { Stage } from './stage.ts';

const DAY_MS = 86_400_000;
const DAYS = 300;
const LIST = '/api/v1/merchant/transactions/';
const LIMITS = { list: 2, rate: 0.8 };
const CONNECTIONS = 64;
/** With their pairs of metadata, by which they are found too. */
const FILLED = [...TABLES, 'labels'] as const;

const FILTERS: Filtering[] = [
  { name: 'external_transaction_id', one: createHash('md5').update('7').digest('hex'), none: 'none' },
  { name: 'external_customer_id', one: 'customer-7', none: 'none' },
  { name: 'status', common: 'CLEARED', one: 'VOID', none: 'DECLINED' },
  { name: 'decline_reason', none: 'card_frozen' },
  { name: 'flag', none: 'late' },
  { name: 'metadata[team]', common: 'travel', none: 'none' },
  { name: 'metadata[order_id]', one: '7', none: '-' },
  { name: 'mcc', common: '5814', none: '7995' },
  { name: 'min_amount', common: '0.05', none: '500.00' },
];

/** Lists of ten million transactions against ten thousand, and authorizations on top of them against none. */
export async function benchTransactions(stage: Stage, quick: boolean): Promise<Figure[]> {
  const count = quick ? 200_000 : 10_000_000;
  const large = await stage.addProgram('Many transactions');
  const small = await stage.addProgram('Few transactions');
  const cards = await fillNumberedCards(stage, large.program, quick ? 20_000 : 100_000, 2);
  const few = await fillNumberedCards(stage, small.program, 100, 3);
  const before = await rateAgainstNoop(stage, large.networkKey, cards, quick);
  const to = new Date(Date.now() - DAY_MS / 24);
  const from = new Date(to.getTime() - DAYS * DAY_MS);
  await fillTransactions(stage.db, {
    programId: small.program.id,
    cardIds: few.ids,
    count: 10_000,
    from,
    to,
    tables: FILLED,
  });
  const started = performance.now();
  await fillTransactions(stage.db, {
    programId: large.program.id,
    cardIds: cards.ids,
    count,
    from,
    to,
    tables: FILLED,
  });
  process.stderr.write(`filled in ${Math.round((performance.now() - started) / 1000)} s\n`);
  await forgetMilestones(stage.db);
  await vacuumAll(stage.db);
  const lists = await timeLists(stage, {
    path: LIST,
    small: { key: small.key, label: '10,000' },
    large: { key: large.key, label: count.toLocaleString('en'), count },
    from,
    days: DAYS,
    rounds: quick ? 50 : 200,
    atMost: LIMITS.list,
  });
  const filtered = await timeFilters(
    stage,
    LIST,
    { small: small.key, large: large.key },
    FILTERS,
    quick ? 10 : 50,
  );
  const after = await rateAgainstNoop(stage, large.networkKey, cards, quick);
  return [...lists, ...filtered, rateFigure(count, before, after)];
}

interface Rate {
  perSecond: number;
  share: number;
}

/** As a share of a no-op in the same minute: what lies between the two measurements is a long fill. */
async function rateAgainstNoop(
  stage: Stage,
  key: string,
  cards: Parameters<typeof spreadOver>[0],
  quick: boolean,
): Promise<Rate> {
  const count = quick ? 3_000 : 20_000;
  const spread = spreadOver(cards);
  const rounds: Rate[] = [];
  // Two rounds only warm up: after a fill the cards are not in memory.
  for (let round = -2; round < (quick ? 3 : 5); round++) {
    const target = networkTarget(stage.server.url, key);
    const { perSecond } = await sendLoad(target, CONNECTIONS, count, spread);
    const noop = await sendLoad(networkTarget(stage.noop.url, key), CONNECTIONS, count, () => ({
      ...spread(),
      path: '/authorize/',
    }));
    if (round >= 0) rounds.push({ perSecond, share: perSecond / noop.perSecond });
  }
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    share: median(rounds.map(({ share }) => share)),
  };
}

const rateFigure = (count: number, before: Rate, after: Rate): Figure => ({
  name: `authorize on ${count.toLocaleString('en')} transactions`,
  measured: `${Math.round(after.perSecond)}/s, ${after.share.toFixed(2)} of no-op`,
  against: `on none ${Math.round(before.perSecond)}/s, ${before.share.toFixed(2)} of no-op`,
  ratio: after.share / before.share,
  limit: { atLeast: LIMITS.rate },
});
