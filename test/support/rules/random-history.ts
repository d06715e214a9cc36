import { type NetworkPath, newMessageId, type PayingCard, send } from '../cards/network.ts';
import { seededRandom } from '../scripts/random.ts';
import { advanceSeconds } from '../server/clock.ts';
import { BREAD } from './rules.ts';

const COFFEE = { id: 'm-77', name: 'Corner Coffee', mcc: '5814', city: 'London', country: 'GB' };
/** Often a minute, so that windows of minutes end in the middle of the history; sometimes a day or a month. */
const PASSES = [30, 60, 240, 3_600, 86_400, 20 * 86_400];

/** Messages of every kind about some cards, several at once, with a clock that moves on. */
export async function randomHistory(
  cards: readonly PayingCard[],
  seed: number,
  rounds: number,
): Promise<void> {
  const random = seededRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const chance = (share: number) => random() < share;
  const amount = () => (random() * 20 + 0.01).toFixed(2);
  const known: Array<{ card: PayingCard; id: string }> = [];
  const clearings: Array<{ card: PayingCard; id: string }> = [];

  const authorization = (card: PayingCard, id: string) => ({
    external_transaction_id: id,
    card_number: card.number,
    expiry: chance(0.05) ? '2020-01' : card.expiry,
    amount: chance(0.08) ? '0.00' : chance(0.1) ? '99999.00' : amount(),
    currency: 'EUR',
    channel: pick(['POS', 'ECOMMERCE', 'ATM']),
    merchant: pick([BREAD, COFFEE]),
    ...(chance(0.2) && { partial_approval: true }),
    ...(chance(0.1) && { type: 'CREDIT' }),
    ...(chance(0.2) && { initiator: 'MERCHANT' }),
    ...(chance(0.15) && { stand_in: { approved: chance(0.7) }, advice_id: newMessageId('adv') }),
  });
  const messages: Array<(card: PayingCard) => [NetworkPath, object, PayingCard]> = [
    ...Array.from({ length: 6 }, () => (card: PayingCard): [NetworkPath, object, PayingCard] => {
      const id = newMessageId('net');
      known.push({ card, id });
      return ['authorizations', authorization(card, id), card];
    }),
    // Again: an advice of a purchase, or the authorization of a clearing.
    () => {
      const { card, id } = pick(known);
      const again = { ...authorization(card, id), stand_in: { approved: chance(0.7) } };
      return ['authorizations', { ...again, advice_id: newMessageId('adv') }, card];
    },
    () => {
      const { card, id } = pick(known);
      const increment_id = newMessageId('inc');
      return [
        'increments',
        {
          external_transaction_id: id,
          increment_id,
          amount: chance(0.1) ? '99999.00' : amount(),
          currency: 'EUR',
        },
        card,
      ];
    },
    (fresh) => {
      const isKnown = chance(0.8);
      const { card, id } = isKnown ? pick(known) : { card: fresh, id: newMessageId('net') };
      if (!isKnown) known.push({ card, id });
      const clearing_id = newMessageId('clr');
      clearings.push({ card, id: clearing_id });
      const bill = amount();
      return [
        'clearings',
        {
          ...{
            external_transaction_id: id,
            clearing_id,
            amount: bill,
            currency: 'EUR',
            card_number: card.number,
          },
          ...{ bill_amount: bill, bill_currency: 'EUR', final: chance(0.3) },
          ...(!isKnown && { merchant: pick([BREAD, COFFEE]), channel: 'POS' }),
        },
        card,
      ];
    },
    () => {
      const { card, id } = pick(known);
      const part = chance(0.5) ? { amount: amount(), currency: 'EUR' } : {};
      return ['reversals', { external_transaction_id: id, reversal_id: newMessageId('rev'), ...part }, card];
    },
    (fresh) => {
      const { card, id } = clearings.length > 0 ? pick(clearings) : { card: fresh, id: 'none' };
      return ['reversals', { clearing_id: id, reversal_id: newMessageId('rev') }, card];
    },
  ];
  known.push({ card: cards[0] as PayingCard, id: 'net-none' });
  for (let round = 0; round < rounds; round++) {
    const now = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(messages)(pick(cards)));
    await Promise.all(now.map(([path, body, card]) => send(card.app, path, body, card.owner)));
    const [{ app, owner }] = cards as [PayingCard];
    if (chance(0.4)) await advanceSeconds(app, pick(PASSES), owner.key);
  }
}
