import { decimal } from '../../model/card.ts';
import type {
  Authorization,
  Call,
  Clearing,
  Increment,
  Message,
  Refund,
  Reversal,
} from '../../model/messages.ts';
import type { Sent } from '../../model/replay.ts';
import type { Credentials } from '../../support/server/server-fleet.ts';

/** A message under one id, however often it is sent. It is written when it is first sent. */
export interface NetworkOp {
  write(wallet: readonly Credentials[]): Message;
  sent?: Sent<Message>;
}
export type Item = { op: NetworkOp; copies: number } | { key: string; call: Call };
/** What is sent at once. The next step begins when all of it is answered. */
export type Step = Item[];

/** A purchase of the script. */
interface Bought {
  id: string;
  billMinor: bigint;
  currency: string;
  /** Ids of its clearings. */
  clearings: string[];
}

const CHANNELS = ['ECOMMERCE', 'POS', 'POS', 'ATM', 'MOTO'] as const;
const MCCS = ['5411', '5812', '4111', '6011', '7011'];

/** Writes the messages of one card; chance chooses what the script leaves open. */
export function createPen(random: () => number, card: string) {
  let count = 0;
  const bought: Bought[] = [];
  /** Refunds with the purchases that they name. */
  const refunds: Array<{ id: string; purchaseId: string }> = [];
  const sent: NetworkOp[] = [];
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const id = (letter: string): string => `${card}-${letter}${++count}`;

  /** The merchant's side of an amount: another currency now and then, with more decimals or with none. */
  function moneyFor(billMinor: bigint, given?: string) {
    const drawn = billMinor > 0n ? pick(['EUR', 'EUR', 'EUR', 'USD', 'JPY', 'KWD']) : 'EUR';
    const currency = given ?? drawn;
    const amount = { EUR: decimal(billMinor), JPY: String(billMinor), KWD: `${decimal(billMinor)}5` }[
      currency
    ];
    return { currency, amount: amount ?? decimal(billMinor + 7n) };
  }
  function keep(write: NetworkOp['write']): NetworkOp {
    const op: NetworkOp = { write };
    sent.push(op);
    return op;
  }
  /** Round ones too: shares of them end on half a cent. */
  const someBill = (): bigint => (random() < 0.4 ? 20n * BigInt(5 + below(450)) : BigInt(100 + below(9_000)));

  function authorization(
    changes: Partial<Authorization> & { old?: boolean; wrongCvv?: boolean } = {},
  ): NetworkOp {
    const { old, wrongCvv, ...fields } = changes;
    const billMinor = fields.billMinor ?? someBill();
    const withCvv = random() < 0.3;
    const body = {
      kind: 'authorization' as const,
      id: id('a'),
      channel: pick(CHANNELS),
      mcc: pick(MCCS),
      billMinor,
      ...moneyFor(billMinor),
      ...fields,
    };
    // With a number of no card there is no purchase that anything could follow.
    if (fields.number === undefined)
      bought.push({ id: body.id, billMinor, currency: body.currency, clearings: [] });
    return keep((wallet) => {
      const { number, expiry, cvv } = (old ? wallet.at(-2) : undefined) ?? (wallet.at(-1) as Credentials);
      const wrong = String((Number(cvv) + 1) % 10 ** cvv.length).padStart(cvv.length, '0');
      const shown = wrongCvv ? { cvv: wrong } : withCvv ? { cvv } : {};
      return { number, expiry, ...shown, ...body };
    });
  }
  function reversal(of: Bought, part: 'all' | 'part' | 'too much'): NetworkOp {
    const body: Reversal = { kind: 'reversal', id: id('r'), purchaseId: of.id };
    if (part === 'part') body.billMinor = 1n + BigInt(below(Number(of.billMinor)));
    if (part === 'too much') body.billMinor = of.billMinor + 1n;
    return keep(() => body);
  }
  function increment(of: Bought): NetworkOp {
    const billMinor = someBill() / 4n + 1n;
    const money = { billMinor, ...moneyFor(billMinor, of.currency) };
    const body: Increment = { kind: 'increment', id: id('i'), purchaseId: of.id, ...money };
    return keep(() => body);
  }
  /** Takes back a clearing of the purchase, or the newest refund. */
  function takeBack(of: Bought, what: 'clearing' | 'refund', isWhole: boolean): NetworkOp {
    const [clearingId, refunded] = [of.clearings.at(-1) ?? id('x'), refunds.at(-1)];
    const named =
      what === 'clearing'
        ? { purchaseId: of.id, clearingId }
        : { purchaseId: refunded?.purchaseId ?? of.id, refundId: refunded?.id ?? id('x') };
    const part = isWhole ? {} : { billMinor: 1n + BigInt(below(Number(of.billMinor))) };
    const body: Reversal = { kind: 'reversal', id: id('r'), ...named, ...part };
    return keep(() => body);
  }
  function clearing(
    of: Bought,
    part: 'exact' | 'less' | 'more' | 'first part',
    withNumber: boolean,
  ): NetworkOp {
    const less = 1n + BigInt(below(Number(of.billMinor)));
    const billMinor =
      { exact: of.billMinor, less, more: of.billMinor + less, 'first part': less }[part] || 1n;
    const body: Clearing = {
      kind: 'clearing',
      id: id('c'),
      purchaseId: of.id,
      billMinor,
      ...moneyFor(billMinor),
      final: part !== 'first part',
      ...(random() < 0.2 && { channel: pick(CHANNELS) }),
    };
    of.clearings.push(body.id);
    return keep((wallet) => ({
      ...body,
      ...(withNumber && { number: (wallet.at(-1) as Credentials).number }),
    }));
  }
  function refund(of: Bought | undefined, withNumber: boolean, ownId = id('f')): NetworkOp {
    const billMinor = someBill();
    const body: Refund = {
      kind: 'refund',
      id: ownId,
      ...(of && { purchaseId: of.id }),
      billMinor,
      ...moneyFor(billMinor),
    };
    refunds.push({ id: body.id, purchaseId: of?.id ?? '' });
    return keep((wallet) => ({
      ...body,
      ...(withNumber && { number: (wallet.at(-1) as Credentials).number }),
    }));
  }
  return {
    random,
    below,
    pick,
    someBill,
    authorization,
    increment,
    takeBack,
    reversal,
    clearing,
    refund,
    merchant: (call: Call): Item => ({ key: id('m'), call }),
    /** One of the last purchases, most of which still have something open. */
    recent: (): Bought => bought.at(-1 - below(Math.min(bought.length, 8))) ?? nobody(id('x'), 500n),
    last: (): Bought => bought.at(-1) as Bought,
    never: (): Bought => nobody(id('x'), someBill()),
    anySent: (): NetworkOp | undefined => sent[below(sent.length)],
  };
}

/** A purchase that was never authorized. */
const nobody = (id: string, billMinor: bigint): Bought => ({ id, billMinor, currency: 'EUR', clearings: [] });

export type Pen = ReturnType<typeof createPen>;
