import { ACCOUNTS } from '../../src/ledger/accounts.ts';
import { sql } from './database.ts';
import { approvedIn, availableOf, type ModelCard, programBalances, sum, type Terms } from './engine-model.ts';
import { lastDay } from './engine-predictions.ts';
import type { JournalEvent } from './engine-replay.ts';

/** Holds the database against what the model came to. */

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

const difference = (
  what: string,
  stored: Record<string, string>,
  modelled: Record<string, string>,
): string[] =>
  [...new Set([...Object.keys(stored), ...Object.keys(modelled)])]
    .filter((name) => stored[name] !== modelled[name])
    .map((name) => `${what}: ${name} is ${stored[name]}, the model has ${modelled[name]}`);

export async function agreementFindings(
  url: string,
  cards: ReadonlyMap<string, ModelCard>,
  terms: Terms,
): Promise<string[]> {
  return [
    ...(await cardFindings(url, cards)),
    ...(await purchaseFindings(url, cards)),
    ...(await accountFindings(url, cards, terms)),
  ];
}

async function cardFindings(url: string, cards: ReadonlyMap<string, ModelCard>): Promise<string[]> {
  const rows = await sql<Record<string, string>>(
    url,
    `select c.id, c.status, a.balance_minor::text as available, k.wrong_cvvs::text as wrong,
            cardinality(k.wrong_entries)::text as guesses, k.day::text as day,
            k.day_spent_minor::text as in_day, k.month_spent_minor::text as in_month, k.total_spent_minor::text as in_all
     from cards c join ledger_accounts a using (program_id, id)
     join card_counters k on k.program_id = c.program_id and k.card_id = c.id`,
  );
  const strangers = rows.length === cards.size ? [] : [`${rows.length} cards stored, ${cards.size} modelled`];
  const findings = rows.flatMap(({ id = '', day = '', ...stored }) => {
    const card = cards.get(id);
    if (!card) return [];
    const modelled = {
      status: card.status,
      available: String(availableOf(card)),
      wrong: String(card.wrongCvvs),
      guesses: String(lastDay(card.wrongEntriesMs).length),
      in_day: String(approvedIn(card, day)),
      in_month: String(approvedIn(card, day.slice(0, 7))),
      in_all: String(approvedIn(card, '')),
    };
    return difference(`card ${id}`, stored, modelled);
  });
  return [...strangers, ...findings];
}

async function purchaseFindings(url: string, cards: ReadonlyMap<string, ModelCard>): Promise<string[]> {
  const rows = await sql<{ card: string; id: string; text: string }>(
    url,
    `select card_id as card, kind || ' ' || external_transaction_id as id,
            concat_ws(' ', status, held_minor, cleared_minor, reversed_minor, decline_reason) as text
     from transactions`,
  );
  const stored = Object.fromEntries(rows.map(({ card, id, text }) => [`${card} ${id}`, text]));
  const modelled: Record<string, string> = {};
  for (const [cardId, { purchases, refunds }] of cards) {
    for (const [id, purchase] of purchases) {
      const cleared = sum(purchase.cleared.map(({ billMinor }) => billMinor));
      const { status, heldMinor, reversedMinor, declineReason } = purchase;
      const words = [status, heldMinor, cleared, reversedMinor, declineReason].filter(
        (word) => word !== null,
      );
      modelled[`${cardId} purchase ${id}`] = words.join(' ');
    }
    for (const [id, minor] of refunds) modelled[`${cardId} refund ${id}`] = `CLEARED 0 ${minor} 0`;
  }
  return difference('transactions', stored, modelled);
}

async function accountFindings(
  url: string,
  cards: ReadonlyMap<string, ModelCard>,
  terms: Terms,
): Promise<string[]> {
  const rows = await sql<{ id: string; balance: string }>(
    url,
    'select id, balance_minor::text as balance from ledger_accounts',
  );
  const balances = new Map(rows.map(({ id, balance }) => [id, balance]));
  const stored = Object.fromEntries(
    Object.entries(ACCOUNTS).map(([name, id]) => [name, balances.get(id) ?? 'missing']),
  );
  const modelled = Object.entries(programBalances([...cards.values()], terms)).map(([name, minor]) => [
    name,
    String(minor),
  ]);
  return difference('accounts', stored, Object.fromEntries(modelled));
}
