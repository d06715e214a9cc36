import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMonths, addYears, dayOf } from '../../src/kernel/calendar.ts';
import { cardRows } from '../support/card-rows.ts';
import { credentialsOf, type RevealedCredentials, retrieve } from '../support/card-states.ts';
import { CARDS, createCard, shippingInformation } from '../support/cards.ts';
import { advanceDays, setClock } from '../support/clock.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

/**
 * The contract's state table as a model that fits on a page, against the product over HTTP: whatever is
 * asked in whatever order, the answer, the card and its journal are what the model says.
 */
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface Model {
  status: 'ACTIVE' | 'FROZEN' | 'BLOCKED';
  reason: string | null;
  nowMs: number;
  expiry: string;
  /** The card's events so far, by name. */
  events: string[];
  credentials: RevealedCredentials;
  made: number;
  plastics: number;
}
interface Real {
  key: string;
  id: string;
  physical: boolean;
}
type Outcome = { refused: number } | { event: string | null };

const isExpired = (m: Model): boolean => m.status !== 'BLOCKED' && m.expiry < dayOf(m.nowMs);
const shownStatus = (m: Model): string => (isExpired(m) ? 'EXPIRED' : m.status);

function blockCode(reason: string | null): number {
  const text = (reason ?? '').toLowerCase();
  if (text.includes('fraud')) return 59;
  return text.includes('lost') ? 41 : text.includes('stolen') ? 43 : 62;
}

function refusal(m: Model): number | undefined {
  if (m.status === 'BLOCKED') return blockCode(m.reason);
  return isExpired(m) ? 54 : undefined;
}

/** One call of the merchant. `expected` moves the model on and says what must come of the call. */
interface Call {
  path: string;
  body: (m: Model) => Record<string, unknown>;
  expected: (m: Model) => Outcome;
  afterwards?: (m: Model, real: Real) => Promise<void>;
}

const command = (
  name: string,
  run: (m: Model, real: Real) => Promise<void>,
): fc.AsyncCommand<Model, Real> => ({
  check: () => true,
  run,
  toString: () => name,
});

const call = (name: string, { path, body, expected, afterwards }: Call) =>
  command(name, async (m, real) => {
    const shipping =
      path === 'replace' && real.physical ? { shippingInformation: shippingInformation() } : {};
    const request = { body: { ...body(m), ...shipping }, key: real.key };
    const outcome = expected(m);
    const answer = await app.call('PUT', `${CARDS}${real.id}/${path}/`, request);
    if ('refused' in outcome) {
      expect([answer.status, answer.body.code]).toEqual([400, outcome.refused]);
    } else {
      expect(answer.status).toBe(200);
      if (outcome.event) m.events.push(outcome.event);
      await afterwards?.(m, real);
    }
    const card = await retrieve(app, real.id, real.key);
    expect(card).toMatchObject({ status: shownStatus(m), statusReason: m.reason, expiryDate: m.expiry });
  });

const freeze = (to: boolean) =>
  call(to ? 'freeze' : 'unfreeze', {
    path: 'freeze',
    body: () => ({ freeze: to }),
    expected: (m) => {
      const refused = refusal(m);
      if (refused) return { refused };
      const before = m.status;
      m.status = to ? 'FROZEN' : 'ACTIVE';
      return { event: m.status === before ? null : to ? 'card.frozen' : 'card.unfrozen' };
    },
  });

const block = (reason: string) =>
  call(`block: ${reason}`, {
    path: 'block',
    body: () => ({ reason }),
    expected: (m) => {
      if (m.status === 'BLOCKED') return { event: null };
      Object.assign(m, { status: 'BLOCKED', reason });
      return { event: 'card.blocked' };
    },
  });

function reissue(renewOption: string, months: number) {
  const isCustom = renewOption.includes('CUSTOM');
  const isIdentical = renewOption.includes('IDENTICAL');
  const keepsExpiry = isIdentical || renewOption.includes('SAME_EXPIRY');
  const custom = (m: Model) => addMonths(dayOf(m.nowMs), months);
  return call(`reissue: ${renewOption}${isCustom ? ` in ${months} months` : ''}`, {
    path: 'replace',
    body: (m) => ({ renewOption, ...(isCustom ? { expiryDate: custom(m) } : {}) }),
    expected: (m) => {
      const refused = refusal(m);
      if (refused && (m.status === 'BLOCKED' || keepsExpiry)) return { refused };
      if (isExpired(m)) m.status = 'ACTIVE';
      if (!keepsExpiry) m.expiry = isCustom ? custom(m) : addYears(dayOf(m.nowMs), 3);
      return { event: 'card.reissued' };
    },
    afterwards: async (m, real) => {
      const old = m.credentials;
      m.credentials = await credentialsOf(app, real.id, real.key);
      m.plastics += real.physical ? 1 : 0;
      m.made += isIdentical ? 0 : 1;
      expect(m.credentials.cvv === old.cvv).toBe(isIdentical);
      expect(m.credentials.cardNumber === old.cardNumber).toBe(!renewOption.includes('NEW_CARD_NUMBER'));
    },
  });
}

const wait = (days: number) =>
  command(`wait ${days} days`, async (m, real) => {
    await advanceDays(app, days, real.key);
    m.nowMs += days * 86_400_000;
    expect((await retrieve(app, real.id, real.key)).status).toBe(shownStatus(m));
  });

const OPTIONS = [
  'IDENTICAL_TO_THE_CURRENT_CARD',
  'CALCULATE_NEW_EXPIRY_DATE',
  'NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE',
  'NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE',
  'SAME_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY',
  'NEW_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY',
];
const REASONS = ['lost', 'Stolen', 'FRAUD suspected', 'lost, then fraud', 'moved away'];

const freezes = fc.boolean().map(freeze);
const reissues = fc
  .tuple(fc.constantFrom(...OPTIONS), fc.integer({ min: 1, max: 14 }))
  .map((of) => reissue(...of));
const waits = fc.constantFrom(1, 20, 31, 400).map(wait);
const blocks = fc.constantFrom(...REASONS).map(block);
// A block ends most of the story, so it comes seldom.
const seldomBlocks = fc.oneof({ weight: 3, arbitrary: freezes }, { weight: 1, arbitrary: blocks });
const commands = fc.commands([freezes, reissues, reissues, waits, seldomBlocks], {
  maxCommands: 12,
  size: 'max',
});

const START = '2095-01-31T12:00:00Z';

test('random calls in random order do what the state table says', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), commands, async (physical, calls) => {
      const { key } = await app.addProgram();
      await setClock(app, START, key);
      const { id } = await createCard(
        app,
        { cardType: physical ? 'physical' : 'virtual', expiryDate: '2095-03-31' },
        key,
      );
      const credentials = await credentialsOf(app, id, key);
      const model: Model = {
        status: 'ACTIVE',
        reason: null,
        nowMs: Date.parse(START),
        expiry: '2095-03-31',
        events: ['card.created'],
        credentials,
        made: 1,
        plastics: physical ? 1 : 0,
      };
      await fc.asyncModelRun(() => ({ model, real: { key, id, physical } }), calls);

      const rows = await cardRows(app, id);
      expect(rows.events.map(({ name, sequence }) => [sequence, name])).toEqual(
        model.events.map((name, place) => [place + 1, name]),
      );
      const changes = rows.audits
        .map(({ name }) => name)
        .filter((name) => name !== 'card.credentials_revealed');
      expect(changes).toEqual(model.events);
      expect(rows.credentials).toHaveLength(model.made);
      expect(rows.shipments).toHaveLength(model.plastics);
      expect(await credentialsOf(app, id, key)).toEqual(model.credentials);
    }),
    { numRuns: 20 },
  );
});
