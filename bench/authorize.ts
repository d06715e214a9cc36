import { randomUUID } from 'node:crypto';
import { type Figure, median } from './figures.ts';
import { fillNumberedCards, type NumberedCards } from './fill-numbers.ts';
import { type LoadRequest, type LoadTarget, openLine, sendLoad, sendPaced } from './http-load.ts';
import type { Stage } from './stage.ts';

const PATH = '/api/v1/network/authorizations/';

export const authorization = (cards: NumberedCards, place: number): LoadRequest => ({
  method: 'POST',
  path: PATH,
  body: {
    external_transaction_id: randomUUID(),
    card_number: cards.numberOf(place),
    expiry: cards.expiry,
    amount: '0.10',
    currency: 'EUR',
    channel: 'POS',
    merchant: { id: 'm-1001', name: 'Corner Coffee', mcc: '5814', city: 'London', country: 'GB' },
  },
});

export const anyCard = (cards: NumberedCards) => () =>
  authorization(cards, Math.floor(Math.random() * cards.count));

export async function benchAuthorize(stage: Stage, quick: boolean): Promise<Figure[]> {
  const { program, networkKey: key } = await stage.addProgram('Authorize');
  const cards = await fillNumberedCards(stage, program, quick ? 20_000 : 100_000, 1);
  const target = (url: string): LoadTarget => ({ url, key, keyHeader: 'x-network-key' });
  const count = quick ? 3_000 : 10_000;
  const rounds = quick ? 3 : 5;
  const figures: Figure[] = [];
  for (const connections of [64, 256]) {
    const rates: Record<'gathered' | 'noop' | 'alone', number[]> = { gathered: [], noop: [], alone: [] };
    for (let round = -1; round < rounds; round++) {
      const spread = anyCard(cards);
      const noop = () => ({ ...spread(), path: '/authorize/' });
      const rate = {
        gathered: (await sendLoad(target(stage.server.url), connections, count, spread)).perSecond,
        noop: (await sendLoad(target(stage.noop.url), connections, count, noop)).perSecond,
        alone: (await sendLoad(target(stage.alone.url), connections, count / 4, spread)).perSecond,
      };
      process.stderr.write(`${connections} ${JSON.stringify(rate)}\n`);
      if (round >= 0)
        for (const name of Object.keys(rates) as Array<keyof typeof rates>) rates[name].push(rate[name]);
    }
    for (const [name, label, atLeast] of [
      ['noop', 'no-op POST', 0.5],
      ['alone', 'one transaction each', 2],
    ] as const)
      figures.push({
        name: `authorize, ${connections} connections`,
        measured: `${Math.round(median(rates.gathered))}/s`,
        against: `${label} ${Math.round(median(rates[name]))}/s`,
        ratio: median(rates.gathered.map((rate, round) => rate / (rates[name][round] as number))),
        limit: { atLeast },
      });
  }
  void openLine;
  void sendPaced;
  return figures;
}
