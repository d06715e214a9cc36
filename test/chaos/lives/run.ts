import { isDeepStrictEqual } from 'node:util';
import { newModelCard } from '../../model/card.ts';
import { requestOf } from '../../model/messages.ts';
import { accepted, replay } from '../../model/replay.ts';
import { sql } from '../../support/database/database.ts';
import { agreementFindings, readJournals } from '../../support/database/model-agreement.ts';
import { journalFindings, ledgerFindings } from '../../support/database/money-checks.ts';
import { seededRandom } from '../../support/scripts/random.ts';
import { addCard, type Fleet, startFleet } from '../../support/server/server-fleet.ts';
import { setTerms, TERMS } from '../terms.ts';
import { type CardLife, type Clients, createClients } from './clients.ts';
import { writeScript } from './script.ts';
import { CLOCK, type Kill, planUpheavals } from './upheavals.ts';

export interface RunOptions {
  databaseUrl: string;
  seed: number;
  messages: number;
  /** Cards whose scripts run at the same time. */
  cards: number;
  /** How often a server is killed; they take turns. */
  kills: number;
  log?: (line: string) => void;
}

export interface RunResult {
  /** What was found wrong, by the guarantee that it breaks. */
  findings: Record<'replay' | 'ledger' | 'journal' | 'agreement' | 'askedAgain' | 'holds', string[]>;
  kills: Kill[];
  answered: number;
  /** How many messages ended how, and events by name: shows that the run met everything it is about. */
  outcomes: Record<string, number>;
}

const RICH_MINOR = 1_000_000_000n;

/** Random scripts of many cards through two real servers, then everything is compared with the model. */
export async function runLives(options: RunOptions): Promise<RunResult> {
  const { databaseUrl, log = () => {} } = options;
  const fleet = await startFleet(2, databaseUrl);
  try {
    const { lives, kills, answered } = await live(fleet, options, log);
    log('sending everything again');
    const askedAgain = await askAgain(fleet, lives);
    const holds = await holdFindings(fleet);
    // Nothing may change any more while it is checked.
    await fleet.close();
    log('replaying');
    const { findings, outcomes } = await judge(databaseUrl, lives);
    return { findings: { ...findings, askedAgain, holds }, outcomes, kills, answered };
  } finally {
    await fleet.close();
  }
}

async function live(fleet: Fleet, options: RunOptions, log: (line: string) => void) {
  const random = seededRandom(options.seed);
  await setTerms(fleet.databaseUrl);
  const lives = await createCards(fleet, options, random);
  const upheavals = planUpheavals(options, random);
  const { kills } = upheavals;
  const clients: Clients = createClients(fleet, random, (answered) => {
    upheavals.reach(answered, fleet, clients);
    if (answered % 5_000 === 0) log(`${answered} answers, ${kills.length} kills`);
  });
  await Promise.all(lives.map((life) => clients.live(life)));
  await upheavals.finished();
  return { lives, kills, answered: clients.answered() };
}

async function createCards(fleet: Fleet, { cards, messages }: RunOptions, random: () => number) {
  const lives: CardLife[] = [];
  for (let n = 0; n < cards; n++) {
    const spendLimit = 50 + Math.floor(random() * 800);
    // Every eighth card expires while the clock moves on.
    const expiry = n % 8 === 7 ? { expiryDate: monthAfter(new Date()) } : {};
    const { id, credentials } = await addCard(fleet, { spendLimit, ...expiry });
    const [row] = await sql<{ day: string }>(
      fleet.databaseUrl,
      'select expiry_date::text as day from credentials where card_id = $1',
      [id],
    );
    lives.push({
      cardId: id,
      spendLimitMinor: BigInt(spendLimit) * 100n,
      expiryDate: row?.day ?? '',
      wallet: [credentials],
      steps: writeScript(random, `k${n}`, messages / cards),
      sent: [],
    });
  }
  // The first message of the first card pays into the master account.
  const money = { amount: '10000000.00', currency: 'EUR', billMinor: RICH_MINOR };
  const number = lives[0]?.wallet[0]?.number ?? '';
  lives[0]?.steps.unshift([
    { copies: 1, op: { write: () => ({ kind: 'refund', id: 'rich', number, ...money }) } },
  ]);
  return lives;
}

const monthAfter = (date: Date): string =>
  new Date(date.getTime() + 32 * 86_400_000).toISOString().slice(0, 10);

/** Replays every card's journal, then checks the rest of the database. */
async function judge(databaseUrl: string, lives: readonly CardLife[]) {
  const journals = await readJournals(databaseUrl);
  const cards = lives.map(({ cardId, spendLimitMinor, expiryDate, wallet, sent }) => {
    const { number = '', cvv = '' } = wallet[0] ?? {};
    return { cardId, card: newModelCard(TERMS, spendLimitMinor, { number, cvv, expiryDate }), wallet, sent };
  });
  const findings = {
    replay: cards.flatMap((life) => replay(life, journals.get(life.cardId) ?? [])),
    ledger: await ledgerFindings(databaseUrl),
    journal: await journalFindings(databaseUrl),
    agreement: await agreementFindings(
      databaseUrl,
      new Map(cards.map(({ cardId, card }) => [cardId, card])),
      TERMS,
    ),
  };
  const events = [...journals.values()].flat().map(({ name }) => `event ${name}`);
  return { findings, outcomes: tally([...lives.flatMap(outcomesOf), ...events]) };
}

/** Every message gets the same response again, from any server. */
async function askAgain(fleet: Fleet, lives: readonly CardLife[]): Promise<string[]> {
  const findings: string[] = [];
  const pending = lives.flatMap(({ sent }) => sent.filter(accepted)).values();
  let turn = 0;
  const client = async (): Promise<void> => {
    for (const sent of pending) {
      if (!('id' in sent.what)) continue;
      const { path, body } = requestOf(sent.what);
      const first = accepted(sent)?.body;
      const again = await fleet.network(turn++ % fleet.size, path, body);
      if (again.status !== 200 || !isDeepStrictEqual(again.body, first))
        findings.push(
          `${sent.what.kind} ${sent.what.id}: first ${JSON.stringify(first)}, now ${again.status} ${JSON.stringify(again.body)}`,
        );
    }
  };
  await Promise.all(Array.from({ length: 32 }, client));
  return findings;
}

/** A move of the clock releases every hold whose days are over, even those missed while servers were down. */
async function holdFindings(fleet: Fleet): Promise<string[]> {
  const { body } = await fleet.merchant(0, 'POST', CLOCK, { advance_seconds: 1 });
  const rows = await sql<{ id: string }>(
    fleet.databaseUrl,
    `select external_transaction_id as id from transactions
     where held_minor > 0 and created_at < $1::timestamptz
       - make_interval(days => case merchant_mcc when '7011' then $3::int else $2::int end)`,
    [new Date(Date.parse(body.now.replace('+0000', 'Z')) - 60_000), TERMS.holdDays, TERMS.longHoldDays],
  );
  return rows.map(({ id }) => `${id} is still held after its days`);
}

const outcomesOf = ({ sent }: CardLife): string[] =>
  sent.flatMap(({ what: { kind }, attempts }) =>
    attempts.map(({ status, body }) => {
      if (status !== 200) return `${kind} ${status}`;
      return `${kind} ${kind === 'authorization' ? (body.decline_reason ?? 'approved') : body.status}`;
    }),
  );

function tally(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
