import fc from 'fast-check';
import { createCard } from '../cards/cards.ts';
import { type NetworkPath, send } from '../cards/network.ts';
import { follow, swipe } from '../cards/swipe.ts';
import { setClock } from '../server/clock.ts';
import { fund } from '../server/fund.ts';
import type { TestApp } from '../server/test-app.ts';

/** What may happen to a program. `which` picks among the cards or purchases that there are by then. */
export type HistoryStep =
  | { kind: 'wait'; hours: number }
  | { kind: 'fund'; amount: number }
  | { kind: 'card'; physical: boolean; limit: number }
  | { kind: 'pay'; which: number; cents: number; currency: string; channel: string; partial: boolean }
  | { kind: 'clear'; which: number; percent: number; final: boolean }
  | { kind: 'reverse'; which: number; percent: number | undefined }
  | { kind: 'refund'; which: number; percent: number }
  | { kind: 'raise'; which: number; percent: number }
  | { kind: 'take back'; which: number; percent: number | undefined }
  | { kind: 'advice'; which: number; cents: number }
  | { kind: 'unmatched'; which: number; cents: number };

const which = fc.nat({ max: 1_000 });
const weighted = (weight: number, arbitrary: fc.Arbitrary<HistoryStep>) => ({ weight, arbitrary });

const step: fc.Arbitrary<HistoryStep> = fc.oneof(
  weighted(5, fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 96 }) })),
  weighted(1, fc.record({ kind: fc.constant('fund' as const), amount: fc.integer({ min: 1, max: 99_999 }) })),
  weighted(
    1,
    fc.record({
      kind: fc.constant('card' as const),
      physical: fc.boolean(),
      limit: fc.integer({ min: 0, max: 2_000 }),
    }),
  ),
  weighted(
    6,
    fc.record({
      kind: fc.constant('pay' as const),
      which,
      cents: fc.integer({ min: 1, max: 20_000 }),
      currency: fc.constantFrom('EUR', 'EUR', 'USD', 'JPY'),
      channel: fc.constantFrom('POS', 'ECOMMERCE', 'ATM', 'MOTO'),
      partial: fc.boolean(),
    }),
  ),
  weighted(
    1,
    fc.record({ kind: fc.constant('advice' as const), which, cents: fc.integer({ min: 1, max: 20_000 }) }),
  ),
  weighted(
    1,
    fc.record({ kind: fc.constant('unmatched' as const), which, cents: fc.integer({ min: 1, max: 20_000 }) }),
  ),
  weighted(
    1,
    fc.record({ kind: fc.constant('raise' as const), which, percent: fc.integer({ min: 1, max: 60 }) }),
  ),
  weighted(
    2,
    fc.record({
      kind: fc.constant('take back' as const),
      which,
      percent: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
    }),
  ),
  weighted(
    5,
    fc.record({
      kind: fc.constant('clear' as const),
      which,
      percent: fc.integer({ min: 10, max: 130 }),
      final: fc.boolean(),
    }),
  ),
  weighted(
    2,
    fc.record({
      kind: fc.constant('reverse' as const),
      which,
      percent: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
    }),
  ),
  weighted(
    2,
    fc.record({ kind: fc.constant('refund' as const), which, percent: fc.integer({ min: 1, max: 100 }) }),
  ),
);

export const history = (length: number): fc.Arbitrary<HistoryStep[]> =>
  fc.array(step, { minLength: length, maxLength: length, size: 'max' });

interface Purchase {
  id: string;
  /** In hundredths of the program's currency, whatever decimals it has. */
  billCents: number;
  currency: string;
}
/** A clearing of a purchase, or a refund. */
interface Presented {
  transaction_id: string;
  clearing_id?: string;
  cents: number;
}

/** A clearing and a refund of a number that no card has, of which a part is taken back. */
async function playUnmatched(app: TestApp, which: number, cents: number): Promise<void> {
  const home = app.program.currency;
  const card_number = `${app.program.bin}${'0'.repeat(16 - app.program.bin.length)}`;
  const money = (part: number) => ({ bill_amount: amountIn(part, home), amount: amountIn(part, home) });
  const common = { ...money(cents), currency: home, bill_currency: home, card_number };
  const id = `unmatched-${which}-${cents}`;
  const post = async (path: NetworkPath, body: object) => {
    const answer = await send(app, path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  const interchange_amount = amountIn(1, home);
  await post('clearings', { ...common, external_transaction_id: id, clearing_id: id, interchange_amount });
  await post('refunds', { ...common, refund_id: id });
  await post('reversals', {
    reversal_id: id,
    ...(which % 2 ? { clearing_id: id } : { refund_id: id }),
    ...(which % 3 && { ...money(Math.ceil(cents / 2)), currency: home }),
  });
}

const DECIMALS: Record<string, number> = { JPY: 0, KWD: 3 };
const amountIn = (cents: number, currency: string): string => {
  const digits = DECIMALS[currency] ?? 2;
  return digits === 0 ? String(Math.max(1, Math.round(cents))) : (cents / 100).toFixed(digits);
};

/** Plays a history from `from` on. The steps' waits are stretched so that all of it ends just before `to`. */
export async function playHistory(
  app: TestApp,
  programId: string,
  steps: readonly HistoryStep[],
  { from, to }: { from: number; to: number },
): Promise<void> {
  const home = app.program.currency;
  const hours = steps.reduce((sum, one) => sum + (one.kind === 'wait' ? one.hours : 0), 0);
  const msPerHour = Math.floor((to - from - 60_000) / Math.max(hours, 1));
  const cards = [(await createCard(app, { spendLimit: 5_000 })).id];
  const purchases: Purchase[] = [];
  const presented: Presented[] = [];
  let nowMs = from;
  const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length];
  const moneyIn = (cents: number, currency: string) => ({
    amount: amountIn(cents, currency),
    currency,
    bill_amount: amountIn(cents, home),
  });
  for (const one of steps) {
    if (one.kind === 'wait') {
      nowMs += one.hours * msPerHour;
      await setClock(app, new Date(nowMs).toISOString());
    } else if (one.kind === 'fund') await fund(app, BigInt(one.amount), programId);
    else if (one.kind === 'card')
      cards.push(
        (await createCard(app, { cardType: one.physical ? 'physical' : 'virtual', spendLimit: one.limit }))
          .id,
      );
    else if (one.kind === 'unmatched') await playUnmatched(app, one.which, one.cents);
    else if (one.kind === 'pay' || one.kind === 'advice') {
      const { cents } = one;
      const currency = one.kind === 'pay' && one.currency !== 'EUR' ? one.currency : home;
      const more =
        one.kind === 'pay'
          ? { channel: one.channel, partial_approval: one.partial }
          : { stand_in: { approved: true } };
      const { amount, ...money } = moneyIn(cents, currency);
      const answer = await swipe(app, pick(cards, one.which) as string, amount, { ...money, ...more });
      if (answer.approved) purchases.push({ id: answer.transaction_id, billCents: cents, currency });
    } else if (one.kind === 'take back') {
      const { cents, ...named } = pick(presented, one.which) ?? {};
      if (cents === undefined) continue;
      const part = one.percent && { bill_amount: amountIn(Math.max(1, (cents * one.percent) / 100), home) };
      await follow(app, 'reversals', { ...named, ...part });
    } else {
      const purchase = pick(purchases, one.which);
      if (!purchase) continue;
      const { id: transaction_id, currency, billCents } = purchase;
      const cents = Math.max(1, Math.round((billCents * (one.percent ?? 100)) / 100));
      const money = moneyIn(cents, currency);
      if (one.kind === 'clear') {
        const { clearing_id } = await follow(app, 'clearings', {
          transaction_id,
          ...money,
          final: one.final,
          ...(one.percent % 3 === 0 && { interchange_amount: `-${amountIn(one.percent, home)}` }),
        });
        presented.push({ transaction_id, clearing_id, cents });
      } else if (one.kind === 'refund') {
        const refunded = await follow(app, 'refunds', { transaction_id, ...money });
        presented.push({ transaction_id: refunded.transaction_id, cents });
      } else if (one.kind === 'raise') {
        const { currency: _, ...added } = money;
        await follow(app, 'increments', { transaction_id, ...added });
      } else
        await follow(app, 'reversals', {
          transaction_id,
          ...(one.percent === undefined ? {} : { bill_amount: amountIn(cents, home) }),
        });
    }
  }
}
