import type { Submit } from '../../authorizations/engine/engine.ts';
import type { AuthorizationRequest, Money } from '../../authorizations/rules/message.ts';
import type { CreateCardServices } from '../../cards/create-card.ts';
import type { CreateCardBody } from '../../cards/schema.ts';
import type { Secret } from '../../kernel/secret.ts';
import type { Actor } from '../../programs/actor.ts';
import type { Person } from './people.ts';
import { createRandom } from './random.ts';
import { billed, type City, pickShop, type Shop, type Trade } from './world.ts';

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;
const HOLD_DAYS = 7;

export type DemoServices = CreateCardServices & { submit: Submit };

/** What an operation needs at its time. */
export interface Stage extends DemoServices {
  actor: Actor;
  /** The cardholder's newest card. */
  cardId: string;
  openCard(card: CreateCardBody): Promise<string>;
}

/** A message about an earlier purchase. Kinds that need less ignore the rest. */
interface Sequel extends Money {
  kind: 'clearing' | 'refund' | 'reversal' | 'expiry';
  messageId: string;
  card: undefined;
  final: boolean;
}

/** A planned action. The engine decides whether a purchase is approved. */
export type Action =
  | ({ kind: 'authorize'; purchase: string; money: Money } & Pick<
      AuthorizationRequest,
      'merchant' | 'channel' | 'cvv'
    >)
  | { kind: 'follow'; purchase: string; message: Sequel }
  | { kind: 'manage'; run: (stage: Stage) => Promise<unknown> };

/** An action of one cardholder, or of the program itself (`lane` -1). The actions of a lane run one after another. */
export type Planned = Action & { atMs: number; lane: number };

/** Whole UTC days. */
export interface History {
  seed: number;
  startMs: number;
  endMs: number;
}

export type Plan = ReturnType<typeof createPlan>;

export const dayStart = (atMs: number): number => Math.floor(atMs / DAY_MS) * DAY_MS;

/** The plan of one person, while it is being created. Actions after the history are left out. */
export function createPlan({ seed, startMs, endMs }: History, person: Person) {
  const planned: Planned[] = [];
  const random = createRandom(seed, `plan ${person.index}`);
  function add(atMs: number, action: Action): void {
    if (atMs < endMs) planned.push({ ...action, atMs, lane: person.index });
  }
  const manage = (atMs: number, run: (stage: Stage) => Promise<unknown>) =>
    add(atMs, { kind: 'manage', run });

  function authorize({ merchant, channel, currency, ...shop }: Shop, atMs: number, cvv?: Secret) {
    const purchase = `demo-${person.index + 1}-${planned.length + 1}`;
    function moneyAt(laterMs: number, percent: number): Money {
      const amountMinor = (shop.amountMinor * BigInt(percent)) / 100n;
      const day = Math.floor((laterMs - startMs) / DAY_MS);
      return { amountMinor, currency, billAmountMinor: billed(seed, amountMinor, currency, day) };
    }
    add(atMs, { kind: 'authorize', purchase, merchant, channel, cvv, money: moneyAt(atMs, 100) });
    /** On the same day an hour later, on other days early in the morning, when the network sends its files. */
    return function later(kind: Sequel['kind'], days: number, percent = 100, final = true): void {
      const laterMs = days === 0 ? atMs + HOUR_MS : dayStart(atMs) + days * DAY_MS + 100 * MINUTE_MS;
      const messageId = `${purchase}-${kind}-${days}`;
      const message = { kind, messageId, card: undefined, final, ...moneyAt(laterMs, percent) };
      add(laterMs, { kind: 'follow', purchase, message });
    };
  }
  return { person, endMs, planned, random, manage, authorize };
}

/** Plans one purchase and its later messages. Some orders are cancelled, sent in parts or sent back. */
export function planPurchase(plan: Plan, trade: Trade, city: City, atMs: number): void {
  const { random, person } = plan;
  const later = plan.authorize(pickShop(random, trade, city, person.taste), atMs);
  const days = random.pick([1, 1, 1, 2, 2, 3]);
  const percentile = random.integer(trade.channel === 'ECOMMERCE' ? 1 : 29, 100);
  if (percentile <= 6) later('reversal', 0);
  else if (percentile <= 16) {
    later('clearing', days, 40, false);
    later('clearing', days + 2, 60);
  } else if (percentile <= 20) {
    later('reversal', 0, 30);
    later('clearing', days, 70);
  } else if (percentile === 100) {
    // The shop does not clear in time, so the hold expires. Some shops clear later.
    later('expiry', HOLD_DAYS + 1);
    if (random.chance(0.4)) later('clearing', HOLD_DAYS + 2);
  } else later('clearing', days, random.pick(trade.clears ?? [100]));
  if (percentile > 20 && percentile <= 28)
    later('refund', days + random.integer(3, 12), random.pick([50, 100]));
}
