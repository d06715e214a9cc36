import { sql } from './database.ts';
import { type Clients, createClients, type Life } from './engine-clients.ts';
import type { Terms } from './engine-model.ts';
import { writeScript } from './engine-script.ts';
import { type Kill, planUpheavals } from './engine-upheavals.ts';
import { askAgain, type Findings, holdFindings, judge } from './engine-verdict.ts';
import { seededRandom } from './random.ts';
import { addCard, type Fleet, startFleet } from './server-fleet.ts';

export interface RunOptions {
  databaseUrl: string;
  seed: number;
  messages: number;
  /** Cards whose lives run at the same time. */
  cards: number;
  /** How often a server is killed; they take turns. */
  kills: number;
  log?: (line: string) => void;
}

export interface RunResult {
  findings: Findings;
  kills: Kill[];
  answered: number;
  /** How many messages ended how, and events by name: to see that the run met everything it is about. */
  outcomes: Record<string, number>;
}

/** Rates that meet the half of a cent often, and a fee for cash that often is what a card cannot pay any more. */
const TERMS: Terms = {
  currency: 'EUR',
  fxBps: 250n,
  atmMinor: 1_250n,
  interchangeBps: 50n,
  costMinor: 7n,
  costBps: 25n,
  issuanceMinor: 90n,
  holdDays: 7,
};
const RICH_MINOR = 1_000_000_000n;

/** Random lives of many cards through two real servers, then everything held against the model. */
export async function runEngine(options: RunOptions): Promise<RunResult> {
  const { databaseUrl, log = () => {} } = options;
  const fleet = await startFleet(2, databaseUrl);
  try {
    const { lives, kills, answered } = await live(fleet, options, log);
    log('asking for every answer again');
    const asked = await askAgain(fleet, lives);
    const holds = await holdFindings(fleet, TERMS);
    // Nothing may move any more while it is looked at.
    await fleet.close();
    log('replaying');
    const { findings, outcomes } = await judge(databaseUrl, lives, TERMS);
    return { findings: { ...findings, askedAgain: asked, holds }, outcomes, kills, answered };
  } finally {
    await fleet.close();
  }
}

async function live(fleet: Fleet, options: RunOptions, log: (line: string) => void) {
  const random = seededRandom(options.seed);
  await setTerms(fleet);
  const lives = await bornCards(fleet, options, random);
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

const setTerms = ({ databaseUrl }: Fleet) =>
  sql(
    databaseUrl,
    `update programs set fx_fee_bps = $1, atm_fee_minor = $2, interchange_bps = $3, transaction_cost_minor = $4,
       transaction_cost_bps = $5, virtual_issuance_fee_minor = $6, hold_days = $7`,
    [
      TERMS.fxBps,
      TERMS.atmMinor,
      TERMS.interchangeBps,
      TERMS.costMinor,
      TERMS.costBps,
      TERMS.issuanceMinor,
      TERMS.holdDays,
    ],
  );

async function bornCards(
  fleet: Fleet,
  { cards, messages }: RunOptions,
  random: () => number,
): Promise<Life[]> {
  const lives: Life[] = [];
  for (let n = 0; n < cards; n++) {
    const spendLimit = 50 + Math.floor(random() * 800);
    // Every eighth runs out while the clock moves on.
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
    });
  }
  // The first card's first message pays the master account in.
  const money = { amount: '10000000.00', currency: 'EUR', billMinor: RICH_MINOR };
  lives[0]?.steps.unshift([
    {
      copies: 1,
      op: {
        attempts: [],
        write: (wallet) => ({ kind: 'refund', id: 'rich', number: wallet[0]?.number ?? '', ...money }),
      },
    },
  ]);
  return lives;
}

const monthAfter = (date: Date): string =>
  new Date(date.getTime() + 32 * 86_400_000).toISOString().slice(0, 10);
