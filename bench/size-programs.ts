import type { CardHolder } from '../src/cards/card.ts';
import { updateHourlyTotals } from '../src/console-api/overview/update-hourly-totals.ts';
import type { Program } from '../src/programs/program.ts';
import type { People } from './fill-cards.ts';
import { fillNumberedCards, type NumberedCards } from './fill-numbers.ts';
import { fillTransactions } from './fill-transactions.ts';
import { townsperson } from './names.ts';
import { diskBytes } from './queries.ts';
import type { Stage } from './stage.ts';

const DAY_MS = 86_400_000;
const DAYS = 300;
const CARDS_PER_TRANSACTION = 0.1;
/** So many cards of every program, old and new, share a name and the last four digits: a search finds as many in each. */
const CROWD = 100;
export const CROWD_NAME = 'Zora Quentin';
export const CROWD_LAST_FOUR = '4321';

export interface SizedProgram {
  program: Program;
  key: string;
  networkKey: string;
  transactions: number;
  cards: NumberedCards;
  /** The places of as many cards in every program, from its oldest to its newest. */
  regulars: number[];
  /** Of each table that the transactions are written to. */
  grownBytes: Record<string, number>;
}

export interface SizePlan {
  transactions: number;
  /** Keeps the card numbers of several programs apart. */
  range: number;
  regulars: number;
  reported: ReportedDay;
}

/** A day that has as many transactions in every program, on as many cards. */
export interface ReportedDay {
  day: string;
  rows: number;
}

export async function fillSizedProgram(stage: Stage, plan: SizePlan): Promise<SizedProgram> {
  const { transactions, reported, range } = plan;
  const added = await stage.addProgram(`Of ${transactions}`);
  const programId = added.program.id;
  const count = transactions * CARDS_PER_TRANSACTION;
  const dayStart = new Date(`${reported.day}T00:00:00Z`);
  // A card that is made on the day is no row of its report, but is looked at: the day has none, whatever the size.
  const cards = await fillNumberedCards(stage, added.program, count, range, {
    to: dayStart,
    ...crowdAmong(count),
  });
  const regulars = Array.from({ length: plan.regulars }, (_, n) => Math.floor((n * count) / plan.regulars));
  const sizes = await diskBytes(stage.db);
  const before = transactions - reported.rows;
  await fillTransactions(stage.db, {
    programId,
    cardIds: cards.ids,
    count: before,
    from: new Date(dayStart.getTime() - DAYS * DAY_MS),
    to: dayStart,
  });
  await fillTransactions(stage.db, {
    programId,
    cardIds: regulars.map((place) => cards.ids[place] as string),
    count: reported.rows,
    from: dayStart,
    to: new Date(dayStart.getTime() + DAY_MS),
    firstPlace: before,
  });
  const grownBytes = Object.fromEntries(
    Object.entries(await diskBytes(stage.db)).map(([table, bytes]) => [table, bytes - (sizes[table] ?? 0)]),
  );
  // A worker would have counted them as they came, not while others are measured.
  await updateHourlyTotals(stage.db, programId);
  return { ...added, transactions, cards, regulars, grownBytes };
}

function crowdAmong(count: number): People {
  const isOfCrowd = (place: number) => place % Math.floor(count / CROWD) === 0;
  const inTurn = (place: number) => String(place % 4_000).padStart(4, '0');
  const zora = (place: number): CardHolder => ({
    cardholderName: CROWD_NAME,
    cardName: CROWD_NAME.toUpperCase(),
    externalCustomerId: `customer-${place}`,
  });
  return {
    holderOf: (place) => (isOfCrowd(place) ? zora(place) : townsperson(place)),
    lastFourOf: (place) => (isOfCrowd(place) ? CROWD_LAST_FOUR : inTurn(place)),
  };
}
