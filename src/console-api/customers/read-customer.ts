import { spendingOn } from '../../authorizations/core/spending.ts';
import { type CardHolder, type CardRecord, isUsable, presentCard } from '../../cards/card.ts';
import type { Counters } from '../../cards/card-facts.ts';
import { lockCounters } from '../../cards/counter-queries.ts';
import { findCustomer } from '../../cards/customers/find-customer.ts';
import { readNotes } from '../../cards/customers/notes.ts';
import type { Application } from '../../cards/retrieve-card.ts';
import { dayOf } from '../../kernel/calendar.ts';
import { amountToNumber } from '../../kernel/money.ts';
import { findBalances } from '../../ledger/queries.ts';
import type { Actor } from '../../programs/actor.ts';
import type { QueryServices } from '../services.ts';
import type { Customer } from './schema.ts';

/** A customer's cards with their money, the totals of these cards, the contact and the notes. */
export async function readCustomer(
  { db, vault }: QueryServices,
  actor: Actor,
  customerId: string,
): Promise<Customer> {
  const { id: programId, currency } = actor.program;
  return db.snapshot(async (tx) => {
    const { cardholderIds, cards, more } = await findCustomer({ db: tx, vault }, programId, customerId);
    const ids = cards.map(({ id }) => id);
    const [balances, counters, holders, applications, notes] = await Promise.all([
      findBalances(tx, programId, ids),
      lockCounters(tx, programId, ids, 'none'),
      vault.openRecords(tx, programId, 'holder', ids),
      vault.openRecords(tx, programId, 'application', ids.slice(0, 1)),
      readNotes({ db: tx, vault }, programId, cardholderIds),
    ]);
    const countersOf = new Map(counters.map((row) => [row.cardId, row]));
    const nowMs = actor.now();
    const money = cards.map((card) => moneyOf(card, balances, countersOf, nowMs));
    const shown = cards.map((card, index) => ({
      ...presentCard(card, holders.get(card.id) as CardHolder, nowMs),
      ...toNumbers(money[index] as Money, currency),
      frozenWithCustomer: card.frozenWithCustomer && isUsable(card, dayOf(nowMs)),
    }));
    const { meta } = applications.get(cards[0].id) as Application;
    const count = (status: string) => shown.filter((card) => card.status === status).length;
    return {
      id: customerId,
      name: shown[0]?.cardholderName ?? '',
      currency,
      contact: { otpPhoneNumber: meta.otpPhoneNumber, email: meta.email ?? null },
      cards: shown,
      more,
      totals: {
        ...toNumbers(money.reduce(add), currency),
        // What can be spent: the balance of a blocked card cannot.
        availableCredit: amountToNumber(
          money.reduce(
            (sum, { available }, index) => (cards[index]?.status === 'BLOCKED' ? sum : sum + available),
            0n,
          ),
          currency,
        ),
        cards: {
          ACTIVE: count('ACTIVE'),
          FROZEN: count('FROZEN'),
          BLOCKED: count('BLOCKED'),
          EXPIRED: count('EXPIRED'),
        },
      },
      notes,
    };
  });
}

interface Money {
  available: bigint;
  month: bigint;
  total: bigint;
}

function moneyOf(
  { id }: CardRecord,
  balances: ReadonlyMap<string, bigint>,
  counters: ReadonlyMap<string, Counters>,
  nowMs: number,
): Money {
  const spending = spendingOn(counters.get(id) as Counters, dayOf(nowMs));
  return {
    available: balances.get(id) ?? 0n,
    month: spending.monthSpentMinor,
    total: spending.totalSpentMinor,
  };
}

const add = (a: Money, b: Money): Money => ({
  available: a.available + b.available,
  month: a.month + b.month,
  total: a.total + b.total,
});

const toNumbers = ({ available, month, total }: Money, currency: string) => ({
  availableCredit: amountToNumber(available, currency),
  spentThisMonth: amountToNumber(month, currency),
  spent: amountToNumber(total, currency),
});
