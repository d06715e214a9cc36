import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { type AuditDetails, audit } from '../../../src/audit/audit.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { act } from '../../support/cards/card-states.ts';
import { CARDS, createCard } from '../../support/cards/cards.ts';
import { swipe } from '../../support/cards/swipe.ts';
import { consoleForTests } from '../../support/console/console.ts';
import { makeReports, requestReport } from '../../support/reports/reports.ts';
import { setClock } from '../../support/server/clock.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests();
const desk = consoleForTests(app);

describe("a card's history", () => {
  const historyOf = async (cardId: string, query = '') => {
    const { status, body } = await desk.get(`cards/${cardId}/history/${query}`);
    expect([status, body.message]).toEqual([200, undefined]);
    return body;
  };

  /** An entry of any actor. */
  const note = (cardId: string, name: string, details: AuditDetails = {}) => {
    const actor = { name, address: null, requestId: 'req_1', program: app.program, now: Date.now };
    return app.db.transaction((tx) => audit(tx, actor, 'card.updated', { cardId, ...details }));
  };

  test('shows each action, its changes and its reason', async () => {
    const card = await createCard(app);
    await act(app, card.id, 'freeze');
    const endsAt = new Date(Date.now() + 86_400_000).toISOString();
    const raised = { dailyLimit: { amount: 90.5, endsAt } };
    const controls = { dailyLimit: 50, blockedMccs: ['7995', '5813'], temporaryLimits: raised };
    await app.call('PUT', `${CARDS}${card.id}/spend-controls/`, { body: controls });
    const adjustment = { amount: 10, reference: 'goodwill' };
    await app.call('POST', `${CARDS}${card.id}/balance-adjustments/`, { body: adjustment });
    await act(app, card.id, 'block: stolen on the train');
    const { results, next } = await historyOf(card.id);
    expect(next).toBeNull();
    const shown = results.map(({ action, reason, changes }: Record<string, unknown>) => ({
      action,
      reason,
      changes,
    }));
    expect(shown).toEqual([
      {
        action: 'card.blocked',
        reason: 'stolen on the train',
        changes: [
          { field: 'status', before: 'FROZEN', after: 'BLOCKED' },
          { field: 'reasonCode', before: null, after: 'STOLEN' },
        ],
      },
      {
        action: 'card.balance_adjusted',
        reason: null,
        changes: [
          { field: 'availableCredit', before: '250', after: '260' },
          { field: 'reference', before: null, after: 'goodwill' },
        ],
      },
      {
        action: 'card.spend_controls_changed',
        reason: null,
        changes: [
          { field: 'dailyLimit', before: null, after: '50' },
          { field: 'blockedMccs', before: '', after: '7995, 5813' },
          {
            field: 'temporaryLimits.dailyLimit',
            before: null,
            after: `{"amount":90.5,"endsAt":"${endsAt.slice(0, 19)}+0000"}`,
          },
        ],
      },
      {
        action: 'card.frozen',
        reason: null,
        changes: [{ field: 'status', before: 'ACTIVE', after: 'FROZEN' }],
      },
      { action: 'card.created', reason: null, changes: [] },
    ]);
    expect(results[0].actor).toEqual({ kind: 'key', name: 'test' });
    expect(results[0].address).toBe('127.0.0.1');
    expect(results[0].requestId).toMatch(/^req_/);
  });

  test('shows the names of actors', async () => {
    const { id } = await createCard(app);
    for (const actor of [
      'operator:Grace Hopper <grace@example.com>',
      'cli:root',
      'system:authorizations',
      'key:gone',
      'unknown',
    ])
      await note(id, actor);
    const { results } = await historyOf(id);
    const actors = results.map(({ actor }: { actor: object }) => actor).reverse();
    expect(actors).toEqual([
      { kind: 'key', name: 'test' },
      { kind: 'operator', name: 'Grace Hopper <grace@example.com>' },
      { kind: 'cli', name: 'root' },
      { kind: 'system', name: 'authorizations' },
      { kind: 'key', name: 'gone' },
      { kind: 'system', name: 'unknown' },
    ]);
  });

  test('a reason is shown with the action that set it, and not again', async () => {
    const { id } = await createCard(app);
    await note(id, 'cli:root', { after: { credentialId: 'c', reason: 'caller could not read it' } });
    const blocked = { status: 'BLOCKED', statusReason: 'lost' };
    await note(id, 'cli:root', { before: blocked, after: { ...blocked, cardDesign: 'gold' } });
    const { results } = await historyOf(id);
    expect(results.map(({ reason }: { reason: string }) => reason)).toEqual([
      null,
      'caller could not read it',
      null,
    ]);
    expect(results[0].changes).toEqual([{ field: 'cardDesign', before: null, after: 'gold' }]);
  });

  test('pages through many entries, each once', async () => {
    const { id } = await createCard(app);
    for (let index = 0; index < 60; index++) await note(id, `cli:user-${index}`);
    const first = await historyOf(id);
    expect(first.results).toHaveLength(50);
    const second = await historyOf(id, `?before=${first.next}`);
    expect([second.results.length, second.next]).toEqual([11, null]);
    const names = [...first.results, ...second.results].map(({ actor }) => actor.name);
    expect(names.slice(0, 60)).toEqual(Array.from({ length: 60 }, (_, index) => `user-${59 - index}`));
  });

  test('refuses a wrong cursor', async () => {
    const { id } = await createCard(app);
    const { status, body } = await desk.get(`cards/${id}/history/?before=x`);
    expect([status, body.message]).toEqual([400, 'before: must be a record id from `next`']);
  });
});

describe('live events', () => {
  const live = async (after?: string, key?: string) => {
    const { status, body } = await desk.get(`live/${after ? `?after=${after}` : ''}`, key);
    expect([status, body.message]).toEqual([200, undefined]);
    return body;
  };

  test('are returned from the cursor on, newest first, without cardholder data', async () => {
    const { key } = await app.addProgram();
    const empty = await live(undefined, key);
    expect(empty.events).toEqual([]);
    const card = await createCard(app, {}, key);
    const refused = await swipe(app, card.id, '999.00', {}, key);
    const { events, cursor } = await live(empty.cursor, key);
    expect(events.map(({ name }: { name: string }) => name)).toEqual([
      'authorization.declined',
      'card.created',
    ]);
    expect(events[0]).toMatchObject({
      type: 'transaction',
      cardId: card.id,
      lastFour: card.lastFour,
      transactionId: refused.transaction_id,
      billAmount: '999.00',
      total: '999.00',
      merchant: 'Corner Coffee',
      declineReason: 'insufficient_funds',
      declineMeaning: "The card's available credit does not cover the purchase and its fees.",
    });
    expect(cursor).toBe(events[0].id);
    expect(JSON.stringify(events)).not.toMatch(/lovelace/i);
    expect((await live(undefined, key)).cursor).toBe(cursor);
  });

  test('include an event whose transaction began first and committed last', async () => {
    const { program, key } = await app.addProgram();
    const card = await createCard(app, {}, key);
    const { cursor } = await live(undefined, key);
    const slow = new pg.Client({ connectionString: app.databaseUrl });
    await slow.connect();
    const id = newId(Date.now());
    await slow.query('begin');
    await slow.query(
      `insert into events (program_id, id, event_type, event_name, data, created_at)
       values ($1, $2, 'card', 'card.unfrozen', '{}', now())`,
      [program.id, id],
    );
    await act(app, card.id, 'freeze', key);
    const seen = await live(cursor, key);
    expect(seen.events[0].name).toBe('card.frozen');
    expect(id < seen.cursor).toBe(true);
    await slow.query('commit');
    await slow.end();
    const later = await live(seen.cursor, key);
    expect(later.events.map((event: { id: string }) => event.id)).toContain(id);
    expect(later.cursor).toBe(seen.cursor);
  });

  test('are limited to the newest', async () => {
    const { program, key } = await app.addProgram();
    const { cursor } = await live(undefined, key);
    await app.sql(
      `insert into events (program_id, id, event_type, event_name, data, created_at)
       select $1, (left($2::text, 13) || '-7' || lpad(to_hex(n), 3, '0') || '-8000-000000000000')::uuid, 'card', 'card.frozen', '{}', now()
       from generate_series(1, 150) n`,
      [program.id, newId(Date.now() + 1_000)],
    );
    const { events } = await live(cursor, key);
    expect(events).toHaveLength(100);
    expect(events[0].id.slice(15, 18)).toBe('096');
  });

  test('a wrong cursor is refused', async () => {
    const { status, body } = await desk.get('live/?after=now');
    expect([status, body.message]).toEqual([400, 'after: must be a cursor from a previous response']);
  });
});

describe('reports', () => {
  test('are listed with the requesting actor and their status, newest first', async () => {
    const { key } = await app.addProgram();
    await setClock(app, '2030-03-10T12:00:00Z', key);
    expect((await desk.get('reports/', key)).body).toEqual({ results: [], next: null });
    const daily = await requestReport(app, 'daily', '2030-03-01', key);
    const again = await requestReport(app, 'daily', '2030-03-01', key);
    const { body: waiting } = await desk.get('reports/', key);
    expect(waiting.results).toEqual(
      [again, daily].map((referenceId) => ({
        referenceId,
        fileType: 'daily',
        firstDay: '2030-03-01',
        lastDay: '2030-03-01',
        status: 'pending',
        rowCount: null,
        bytes: null,
        created: expect.stringMatching(/^2030-03-10T12:0/),
      })),
    );
    await makeReports(app);
    const { body: made } = await desk.get('reports/', key);
    expect(made.results[0]).toMatchObject({ referenceId: again, status: 'ready', rowCount: 0 });
    expect(made.results[0].bytes).toBeGreaterThan(100);
    await app.sql(`update reports set kept_until = now() - interval '1 s'`);
    const { body: gone } = await desk.get(`reports/?before=${again}`, key);
    expect(gone.results).toMatchObject([{ referenceId: daily, status: 'expired' }]);
    expect((await desk.get('reports/?before=x', key)).status).toBe(400);
  });

  test('are paged, each once', async () => {
    const { key } = await app.addProgram();
    await setClock(app, '2030-03-10T12:00:00Z', key);
    const requests: string[] = [];
    for (let index = 0; index < 53; index++)
      requests.unshift(await requestReport(app, 'fee', '2030-03-01', key));
    const { body: first } = await desk.get('reports/', key);
    const { body: second } = await desk.get(`reports/?before=${first.next}`, key);
    const ids = [...first.results, ...second.results].map(({ referenceId }) => referenceId);
    expect([first.results.length, second.next]).toEqual([50, null]);
    expect(ids).toEqual(requests);
  });
});
