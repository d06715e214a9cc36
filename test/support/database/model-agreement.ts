import { ACCOUNTS } from '../../../src/ledger/accounts.ts';
import {
  availableOf,
  clearedMinor,
  countedIn,
  heldAndRefunded,
  lastDay,
  type ModelCard,
  programBalances,
  type Suspense,
  type Terms,
} from '../../model/card.ts';
import type { JournalEvent } from '../../model/replay.ts';
import { sql } from './database.ts';

/** Compares the database with the model. */

export async function readJournals(url: string): Promise<Map<string, JournalEvent[]>> {
  const rows = await sql<{ card: string; name: string; data: JournalEvent['data']; at: Date }>(
    url,
    `select card_id as card, event_name as name, data, created_at as at from events
     where card_id is not null order by card_id, card_sequence`,
  );
  const journals = new Map<string, JournalEvent[]>();
  for (const { card, name, data, at } of rows) {
    const journal = journals.get(card) ?? [];
    journal.push({ name, data, atMs: at.getTime() });
    journals.set(card, journal);
  }
  return journals;
}

type Texts = Record<string, string>;
const difference = (what: string, stored: Texts, modelled: Texts): string[] =>
  [...new Set([...Object.keys(stored), ...Object.keys(modelled)])]
    .filter((name) => stored[name] !== modelled[name])
    .map((name) => `${what}: ${name} is ${stored[name]}, the model has ${modelled[name]}`);
type Cards = ReadonlyMap<string, ModelCard>;

export async function agreementFindings(
  url: string,
  cards: Cards,
  terms: Terms,
  suspense: Suspense = new Map(),
): Promise<string[]> {
  return [
    ...(await cardFindings(url, cards)),
    ...(await purchaseFindings(url, cards)),
    ...(await accountFindings(url, cards, terms, suspense)),
  ];
}

async function cardFindings(url: string, cards: Cards): Promise<string[]> {
  const rows = await sql<Texts>(
    url,
    `select c.id, c.status, a.balance_minor::text as available, k.wrong_cvvs::text as wrong,
            cardinality(k.wrong_entries)::text as guesses, k.day::text as day,
            k.day_spent_minor::text as in_day, k.month_spent_minor::text as in_month, k.total_spent_minor::text as in_all,
            k.held_minor::text as held, k.refunded_minor::text as refunded
     from cards c join ledger_accounts a using (program_id, id)
     join card_counters k on k.program_id = c.program_id and k.card_id = c.id`,
  );
  const unknown = rows.length === cards.size ? [] : [`${rows.length} cards stored, ${cards.size} modelled`];
  const findings = rows.flatMap(({ id = '', day = '', ...stored }) => {
    const card = cards.get(id);
    if (!card) return [];
    const [heldMinor, refundedMinor] = heldAndRefunded(card);
    const modelled = {
      ...{ held: String(heldMinor), refunded: String(refundedMinor) },
      status: card.status,
      available: String(availableOf(card)),
      wrong: String(card.wrongCvvs),
      guesses: String(lastDay(card.wrongEntriesMs).length),
      in_day: String(countedIn(card, day)),
      in_month: String(countedIn(card, day.slice(0, 7))),
      in_all: String(countedIn(card, '')),
    };
    return difference(`card ${id}`, stored, modelled);
  });
  return [...unknown, ...findings];
}

async function purchaseFindings(url: string, cards: Cards): Promise<string[]> {
  const rows = await sql<{ card: string; id: string; text: string }>(
    url,
    `select card_id as card, kind || ' ' || external_transaction_id as id,
            concat_ws(' ', authorization_mode, status, held_minor, held_amount_minor, cleared_minor, decline_reason,
              (select string_agg(flag, ',' order by flag) from jsonb_array_elements_text(flags) flag)) as text
     from transactions`,
  );
  const modelled: Texts = {};
  for (const [cardId, { purchases, refunds }] of cards) {
    for (const [id, purchase] of purchases) {
      const { mode, status, heldMinor, heldAmountMinor, declineReason } = purchase;
      const flags = [...purchase.flags].sort().join(',') || null;
      const words = [mode, status, heldMinor, heldAmountMinor, clearedMinor(purchase), declineReason, flags];
      modelled[`${cardId} purchase ${id}`] = words.filter((word) => word !== null).join(' ');
    }
    for (const [id, refund] of refunds) {
      const { mode, status, declineReason } = refund;
      const words = [mode, status, 0n, 0n, clearedMinor(refund), declineReason];
      modelled[`${cardId} refund ${id}`] = words.filter((word) => word !== null).join(' ');
    }
  }
  const stored = Object.fromEntries(rows.map(({ card, id, text }) => [`${card} ${id}`, text]));
  return difference('transactions', stored, modelled);
}

async function accountFindings(
  url: string,
  cards: Cards,
  terms: Terms,
  suspense: Suspense,
): Promise<string[]> {
  const rows = await sql<{ id: string; balance: string }>(
    url,
    'select id, balance_minor::text as balance from ledger_accounts where id = any ($1)',
    [Object.values(ACCOUNTS)],
  );
  const names = new Map<string, string>(Object.entries(ACCOUNTS).map(([name, id]) => [id, name]));
  const stored = rows.map(({ id, balance }) => [names.get(id), balance]);
  const balances = Object.entries(programBalances([...cards.values()], terms, suspense));
  const modelled = balances.map(([name, minor]) => [name, String(minor)]);
  return difference('accounts', Object.fromEntries(stored), Object.fromEntries(modelled));
}
