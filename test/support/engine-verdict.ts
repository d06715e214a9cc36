import { isDeepStrictEqual } from 'node:util';
import { sql } from './database.ts';
import { agreementFindings, readJournals } from './engine-agreement.ts';
import { journalFindings, ledgerFindings } from './engine-checks.ts';
import { accepted, type Life } from './engine-clients.ts';
import type { Message } from './engine-messages.ts';
import type { ModelCard, Terms } from './engine-model.ts';
import { replayLife } from './engine-replay.ts';
import { CLOCK } from './engine-upheavals.ts';
import { post } from './engine-wire.ts';
import type { Fleet } from './server-fleet.ts';

/** What was found wrong, by the guarantee that it breaks; all empty when all is well. */
export interface Findings {
  replay: string[];
  ledger: string[];
  journal: string[];
  agreement: string[];
  askedAgain: string[];
  holds: string[];
}

/** Replays every card's journal, then looks at the rest of the database. */
export async function judge(databaseUrl: string, lives: readonly Life[], terms: Terms) {
  const journals = await readJournals(databaseUrl);
  const models = new Map<string, ModelCard>();
  const replay: string[] = [];
  for (const life of lives) {
    const { card, findings } = replayLife(life, terms, journals.get(life.cardId) ?? []);
    models.set(life.cardId, card);
    replay.push(...findings);
  }
  const findings = {
    replay,
    ledger: await ledgerFindings(databaseUrl),
    journal: await journalFindings(databaseUrl),
    agreement: await agreementFindings(databaseUrl, models, terms),
  };
  const events = [...journals.values()].flat().map(({ name }) => `event ${name}`);
  return { findings, outcomes: tally([...outcomesOf(lives), ...events]) };
}

/** Every answer that was given is given again, by whichever server. */
export async function askAgain(fleet: Fleet, lives: readonly Life[]): Promise<string[]> {
  const findings: string[] = [];
  const answers = new Map<Message, unknown>();
  for (const item of lives.flatMap(({ steps }) => steps.flat()))
    if ('op' in item && item.op.message && accepted(item.op))
      answers.set(item.op.message, accepted(item.op)?.body);
  const pending = answers.entries();
  let turn = 0;
  const client = async (): Promise<void> => {
    for (const [message, first] of pending) {
      const { status, body } = await post(fleet, turn++ % fleet.size, message);
      if (status !== 200 || !isDeepStrictEqual(body, first))
        findings.push(
          `${message.kind} ${message.id}: first ${JSON.stringify(first)}, now ${status} ${JSON.stringify(body)}`,
        );
    }
  };
  await Promise.all(Array.from({ length: 32 }, client));
  return findings;
}

/** A move of the clock releases what has lived its time, whatever was missed while servers were away. */
export async function holdFindings(fleet: Fleet, terms: Terms): Promise<string[]> {
  const { body } = await fleet.merchant(0, 'POST', CLOCK, { advance_seconds: 1 });
  const rows = await sql<{ id: string }>(
    fleet.databaseUrl,
    `select external_transaction_id as id from transactions
     where held_minor > 0 and created_at < $1::timestamptz - make_interval(days => $2)`,
    [new Date(Date.parse(body.now.replace('+0000', 'Z')) - 60_000), terms.holdDays],
  );
  return rows.map(({ id }) => `${id} is still held after ${terms.holdDays} days`);
}

const outcomesOf = (lives: readonly Life[]): string[] =>
  lives
    .flatMap(({ steps }) => steps.flat())
    .flatMap((item) => {
      if (!('op' in item) || !item.op.message) return [];
      const { kind } = item.op.message;
      return item.op.attempts.map(({ status, body }) => {
        if (status !== 200) return `${kind} ${status}`;
        return `${kind} ${kind === 'authorization' ? (body.decline_reason ?? 'approved') : body.status}`;
      });
    });

function tally(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
