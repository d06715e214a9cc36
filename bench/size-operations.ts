import { authorization, networkTarget } from './authorize.ts';
import { newCard } from './create-card.ts';
import { type Line, type LoadRequest, openLine } from './http-load.ts';
import { PAGE_SIZE } from './list-pages.ts';
import { signInToConsole } from './operator.ts';
import { CROWD_LAST_FOUR, CROWD_NAME, type SizedProgram } from './size-programs.ts';
import type { Stage } from './stage.ts';

const CARDS = '/api/v1/merchant/cards/';
const TRANSACTIONS = '/api/v1/merchant/transactions/';

/** A program and the connections of those who use it. */
export interface Sized extends SizedProgram {
  merchant: Line;
  network: Line;
  console: Line;
}

export async function connectTo(stage: Stage, filled: SizedProgram): Promise<Sized> {
  const { url } = stage.server;
  return {
    ...filled,
    merchant: await openLine({ url, key: filled.key }),
    network: await openLine(networkTarget(url, filled.networkKey)),
    console: await openLine(await signInToConsole(stage)),
  };
}

interface Operation {
  through: 'merchant' | 'network' | 'console';
  request(at: SizedProgram): LoadRequest;
  /** What every answer holds that did the work: a decline or an empty page is quick. */
  shows: string;
  /** A larger program has more to do by its nature: told as information only. */
  grows?: true;
}

const get = (path: string): LoadRequest => ({ method: 'GET', path });
const oneOf = (count: number) => Math.floor(Math.random() * count);
const lastPage = (records: number) => Math.ceil(records / PAGE_SIZE);
/** So few that all of it is in memory after a while, however large the database: what is compared is work, not disks. */
const FEW = 10;
const middlePage = (records: number) => Math.ceil(lastPage(records) * (0.3 + (0.4 * oneOf(FEW)) / FEW));
const anyMiddlePage = (records: number) => Math.ceil(lastPage(records) * (0.3 + 0.4 * Math.random()));

const page = (list: string, choose: (at: SizedProgram) => number): Operation => ({
  through: 'merchant',
  request: (at) => get(`${list}?page=${choose(at)}`),
  shows: '"results":[{',
});

const authorize = (choose: (at: SizedProgram) => number): Operation => ({
  through: 'network',
  request: (at) => authorization(at.cards, choose(at)),
  shows: '"approved":true',
});

const search = (text: string): Operation => ({
  through: 'console',
  request: ({ program }) => get(`/console/api/programs/${program.id}/search/?q=${encodeURIComponent(text)}`),
  shows: '"results":[{',
});

/** What is asked for changes from round to round where it can, so that no answer is that of the round before. */
export const OPERATIONS: Record<string, Operation> = {
  'create card': { through: 'merchant', request: newCard, shows: '"status":"ACTIVE"' },
  'first page': page(TRANSACTIONS, () => 1),
  'middle page': page(TRANSACTIONS, ({ transactions }) => middlePage(transactions)),
  // One of so many that no memory holds them all: it comes from the disk.
  'middle page, any': {
    ...page(TRANSACTIONS, ({ transactions }) => anyMiddlePage(transactions)),
    grows: true,
  },
  'last page': page(TRANSACTIONS, ({ transactions }) => lastPage(transactions)),
  'middle page of cards': page(CARDS, ({ cards }) => middlePage(cards.count)),
  authorize: authorize(({ regulars }) => regulars[oneOf(FEW)] as number),
  // In a large program most likely one that the server does not remember, and the memory does not hold.
  'authorize, any card': { ...authorize(({ cards }) => oneOf(cards.count)), grows: true },
  'search by name': search(CROWD_NAME),
  'search by last four': search(CROWD_LAST_FOUR),
  // Every eleventh card has it: in a large program there are more to choose from.
  'search by a common name': { ...search('Bela'), grows: true },
};

export async function timeOperation(at: Sized, { through, request, shows }: Operation): Promise<number> {
  const asked = request(at);
  const started = performance.now();
  const answer = await at[through].send(asked);
  const ms = performance.now() - started;
  if (!answer.includes(shows)) throw new Error(`${asked.path} was answered ${answer.slice(0, 300)}`);
  return ms;
}
