import { type Browser, chromium, type Page } from 'playwright-core';
import { consumerCard } from '../test/support/cards/cards.ts';
import { findChromium } from '../test/support/console/chromium.ts';
import { type Figure, median } from './figures.ts';
import { fillCards } from './fill-cards.ts';
import { fillTransactions } from './fill-transactions.ts';
import { townsperson } from './names.ts';
import { addAdmin } from './operator.ts';
import { forgetMilestones, listFilledCards, vacuumAll } from './queries.ts';
import { DESIGN, type Stage } from './stage.ts';

const DAY_MS = 86_400_000;
const LIMITS = { ratio: 2 };
const CARD_PAGE = "a card's page";
/** How often the viewed card is among those that pay: it gets a long history. */
const SHARE = 200;
/** Of the viewed card. */
const PHONE = '+44 7700 900123';

interface Looked {
  programId: string;
  cardId: string;
  name: string;
  lastFour: string;
}

/** What an operator waits for, in a real browser, on a large program against a small one. */
export async function benchConsole(stage: Stage, quick: boolean): Promise<Figure[]> {
  const cards = quick ? 20_000 : 1_000_000;
  const large = await fillProgram(stage, 'Large', cards, 10 * cards, 'Zora Quentin');
  const small = await fillProgram(stage, 'Small', 1_000, 10_000, 'Yara Quimby');
  await forgetMilestones(stage.db);
  await vacuumAll(stage.db);
  const found = await findChromium((text) => process.stderr.write(`${text}\n`));
  if (!found) throw new Error('there is no Chromium to measure with');
  const browser = await chromium.launch({
    executablePath: found.path,
    env: { ...process.env, ...found.env } as never,
    // It would end this process first; it ends with this process in any case.
    ...{ handleSIGINT: false, handleSIGTERM: false },
  });
  try {
    const label = `${cards.toLocaleString('en')} cards`;
    const page = await signIn(stage, browser);
    const figures = await timePages(page, large, small, label, quick ? 5 : 15);
    return [
      ...figures,
      await timeExport(page, large, 'transactions'),
      await timeExport(page, large, 'cards'),
    ];
  } finally {
    await browser.close();
  }
}

/** Filled cards cannot be opened, so the viewed card is created over the API. */
async function fillProgram(
  stage: Stage,
  name: string,
  cards: number,
  transactions: number,
  holder: string,
): Promise<Looked> {
  const { program, key } = await stage.addProgram(name);
  const to = new Date(Date.now() - 3_600_000);
  const from = new Date(to.getTime() - 90 * DAY_MS);
  await fillCards(stage.db, stage.vault, program, {
    designId: DESIGN,
    count: cards,
    from,
    to,
    holderOf: townsperson,
  });
  const ids = (await listFilledCards(stage.db, program.id)).map(({ id }) => id);
  const { id: cardId, lastFour } = await createCard(stage, key, holder);
  const cardIds = [...ids, ...Array.from({ length: SHARE }, () => cardId)];
  await fillTransactions(stage.db, { programId: program.id, cardIds, count: transactions, from, to });
  return { programId: program.id, cardId, name: holder, lastFour };
}

async function createCard(stage: Stage, key: string, holder: string) {
  const [firstName, lastName] = holder.split(' ');
  const { kyc, ...card } = consumerCard({ cardDesign: DESIGN, preferredCardName: holder.toUpperCase() });
  const response = await fetch(`${stage.server.url}/api/v1/merchant/cards/`, {
    method: 'POST',
    headers: { 'x-payments-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ ...card, kyc: { ...(kyc as object), firstName, lastName } }),
  });
  if (response.status !== 201) throw new Error(`no card was created: ${await response.text()}`);
  return (await response.json()) as { id: string; lastFour: string };
}

async function signIn(stage: Stage, browser: Browser): Promise<Page> {
  const { email, password } = await addAdmin(stage);
  const page = await browser.newPage({ baseURL: stage.server.url });
  await page.goto('/console/');
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').first().waitFor();
  return page;
}

type Look = (page: Page, at: Looked) => Promise<void>;

/** Until the page shows these words. */
const LOOKS: Record<string, Look> = {
  [CARD_PAGE]: async (page, { programId, cardId, name }) => {
    await page.goto(`/console/programs/${programId}/cards/${cardId}`);
    await page.getByRole('heading', { name }).first().waitFor();
    await page.getByRole('button', { name: 'Freeze' }).waitFor();
    await page.getByRole('main').getByText('Corner Coffee').first().waitFor();
  },
  'the overview': async (page, { programId }) => {
    await page.goto(`/console/programs/${programId}`);
    await page.getByRole('main').getByText('Corner Coffee').first().waitFor();
  },
  'a search by name': async (page, at) => search(page, at, at.name),
  'a search by name with a typo': async (page, at) => search(page, at, at.name.replace('Qu', 'Qi')),
  'a search by last four': async (page, at) => search(page, at, at.lastFour),
  'a search by phone number': async (page, at) => search(page, at, PHONE),
  'a search by merchant': async (page, at) => search(page, at, 'corner', 'Corner Coffee'),
  'a search by an amount that none has': async (page, at) => search(page, at, '98765.43', 'No match'),
  'filtered transactions': (page, at) => list(page, at, 'transactions?status=CLEARED', 'Corner Coffee'),
  'transactions by amount and merchant': (page, at) =>
    list(page, at, 'transactions?min_amount=0.10&max_amount=0.10&merchant=coffee', 'Corner Coffee'),
  'transactions that none match': (page, at) =>
    list(page, at, 'transactions?status=VOID', /^No (match|transaction)/),
  'the oldest transactions': (page, at) => list(page, at, 'transactions?order=oldest', 'Corner Coffee'),
  "a card's transactions": (page, at) =>
    list(page, at, `transactions?card=${at.cardId}&channel=POS`, 'Corner Coffee'),
  'filtered cards': (page, at) => list(page, at, 'cards?status=ACTIVE&type=virtual', at.name),
  'cards of a rare status': (page, at) => list(page, at, 'cards?status=FROZEN', 'No card matches'),
  'filtered events': (page, at) =>
    list(page, at, 'webhooks?event=authorization&state=not_sent', 'Corner Coffee'),
};

/** A list with filters, until its count and a row, or the words that there is none, are shown. */
async function list(page: Page, { programId }: Looked, path: string, shown: string | RegExp): Promise<void> {
  await page.goto(`/console/programs/${programId}/${path}`);
  await page.getByRole('main').getByText(shown).first().waitFor();
}

async function search(page: Page, at: Looked, query: string, shown: string = at.name): Promise<void> {
  await page.goto(`/console/programs/${at.programId}/cards?q=${encodeURIComponent(query)}`);
  await page.getByRole('main').getByText(shown).first().waitFor();
}

const ROWS_PER_SECOND = 10_000;

/** The rate of an export with names, of rows that an export before it has read: the caches are as a day fills them. */
async function timeExport(page: Page, { programId }: Looked, what: string): Promise<Figure> {
  const path = `/console/api/programs/${programId}/${what}/export/`;
  const first = await readExport(page, path, Number.MAX_SAFE_INTEGER);
  const { rows, seconds } = await readExport(page, path, first.rows);
  const rate = rows / seconds;
  return {
    name: `an export of ${what}`,
    measured: `${Math.round(rate).toLocaleString('en')} rows/s of ${rows.toLocaleString('en')}`,
    against: `${ROWS_PER_SECOND.toLocaleString('en')} rows/s`,
    ratio: ROWS_PER_SECOND / rate,
    limit: { atMost: 1 },
  };
}

/** Reads so many rows of an export, for at most half a minute. */
const readExport = (page: Page, path: string, most: number): Promise<{ rows: number; seconds: number }> =>
  page.evaluate(`(async () => {
    const { csrfToken } = await (await fetch('/console/api/session/')).json();
    const stop = new AbortController();
    const begin = () => fetch('${path}', { headers: { 'x-csrf-token': csrfToken }, signal: stop.signal });
    let started = performance.now();
    let answer = await begin();
    // The server may not have noticed yet that the export before was stopped.
    for (let again = 0; answer.status === 429 && again < 50; again++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      started = performance.now();
      answer = await begin();
    }
    if (!answer.ok) throw new Error(await answer.text());
    let rows = -1;
    const reader = answer.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      for (const byte of value) if (byte === 10) rows++;
      if (rows >= ${most} || performance.now() - started > 30_000) break;
    }
    const seconds = (performance.now() - started) / 1000;
    stop.abort();
    return { rows, seconds };
  })()`);

async function timePages(
  page: Page,
  large: Looked,
  small: Looked,
  label: string,
  rounds: number,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [what, look] of Object.entries(LOOKS)) {
    const times = { large: [] as number[], small: [] as number[] };
    // The first round fills caches that an operator's day has filled.
    for (let round = -1; round < rounds; round++)
      for (const [size, at] of [
        ['small', small],
        ['large', large],
      ] as const) {
        const started = performance.now();
        await look(page, at);
        if (round >= 0) times[size].push(performance.now() - started);
      }
    const [here, there] = [median(times.large), median(times.small)];
    const measured = `${Math.round(here)} ms, worst ${Math.round(Math.max(...times.large))} ms`;
    const against = `1,000 cards ${Math.round(there)} ms`;
    figures.push({
      name: `${what}, ${label}`,
      measured,
      against,
      ratio: here / there,
      limit: { atMost: LIMITS.ratio },
    });
    if (what === CARD_PAGE)
      figures.push({
        name: `${what}, usable`,
        measured,
        against: '1 s',
        ratio: here / 1_000,
        limit: { atMost: 1 },
      });
  }
  return figures;
}
