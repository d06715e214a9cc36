import type { NetworkData } from '../../cards/network-data.ts';
import { dayOf } from '../../kernel/calendar.ts';
import { createRandom } from './random.ts';
import type { Shop } from './world.ts';

const DAY_MS = 86_400_000;

/** What the network says of a purchase: how the card was read, and at which terminal or by which wallet. */
export function dataOf(seed: number, messageId: string, { channel, acceptor }: Shop): NetworkData {
  const random = createRandom(seed, `data of ${messageId}`);
  const acquirer_country = acceptor.country;
  const retrieval_reference = String(random.integer(100_000_000_000, 999_999_999_999));
  if (channel === 'ECOMMERCE') {
    const isSubscription = random.chance(0.1);
    return {
      ...(isSubscription && { initiator: 'MERCHANT', recurring: true }),
      entry_mode: isSubscription ? 'STORED' : 'MANUAL',
      retrieval_reference,
      acquirer_country,
    };
  }
  const wallet = channel === 'POS' && random.chance(0.3) && { token_requestor: 'phone-wallet' };
  return {
    entry_mode: wallet || (channel === 'POS' && random.chance(0.5)) ? 'CONTACTLESS' : 'CHIP',
    ...wallet,
    terminal_id: `T-${random.integer(1_000, 9_999)}`,
    retrieval_reference,
    acquirer_country,
  };
}

/** What it says of a clearing or refund. A copy of one has the same reference. */
export function clearedDataOf(seed: number, messageId: string, atMs: number): NetworkData {
  const random = createRandom(seed, `reference of ${messageId}`);
  const digits = () => String(random.integer(1_000_000, 9_999_999));
  return { arn: `24${digits()}${digits()}${digits()}`, settlement_date: dayOf(atMs + DAY_MS) };
}
