import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { INSTALLATION_ID } from '../../../src/audit/entry.ts';
import { addDesign, updateDesign } from '../../../src/cards/designs/save-design.ts';
import { LOWEST_ID } from '../../../src/kernel/ids.ts';
import { fundProgram } from '../../../src/programs/fund-program.ts';
import { updateProgram } from '../../../src/programs/update-program.ts';
import { CARDS, createCard } from '../../support/cards/cards.ts';
import { addTestOperator, SESSION, type SignedIn, signInAs } from '../../support/console/operators.ts';
import { testActor } from '../../support/server/actor.ts';
import { advanceDays, setClock } from '../../support/server/clock.ts';
import { appForTests } from '../../support/server/test-app.ts';

const ENDPOINTS = '/api/v1/merchant/webhook-endpoints/';
const DESIGN = { id: 'slate', name: 'Slate', stock: true, default: false, embossNameSupported: true };

const app = appForTests();
let admin: SignedIn;
beforeAll(async () => {
  admin = await signInAs(app, 'admin');
});
afterEach(() => vi.useRealTimers());

const entriesSince = (programId: string, sinceId: string) =>
  app.sql<{ id: string; action: string; secondsAgo: number }>(
    `select e.id, action, extract(epoch from clock_timestamp() - e.created_at)::float8
                          + coalesce(p.clock_offset_ms, 0) / 1000.0::float8 as "secondsAgo"
     from audit_entries e left join programs p on p.id = e.program_id
     where e.program_id = $1 and e.id > $2 order by e.id`,
    [programId, sinceId],
  );
const LONGEST_SECONDS = 120;

describe('an audit entry has', () => {
  test('program time by the database’s clock, whatever the server’s clock shows', async () => {
    await setClock(app, '2031-05-05T12:00:00Z');
    const [last] = (await entriesSince(app.program.id, LOWEST_ID)).slice(-1);
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2029-01-01') });
    const actor = await testActor(app.db, app.program.id);
    await updateProgram(app.db, actor, { holdDays: 6 });
    await app.db.transaction((tx) => fundProgram(tx, actor, { amountMinor: 100n }));
    await app.db.transaction((tx) => addDesign(tx, actor, DESIGN));
    await app.db.transaction((tx) => updateDesign(tx, actor, 'slate', { stock: false }));
    const { body: key } = await admin.call('POST', 'keys/', { kind: 'merchant', name: 'one' });
    const { body: next } = await admin.call('POST', `keys/${key.id}/rotate/`, { overlapSeconds: 60 });
    await admin.call('DELETE', `keys/${next.id}/`);
    const { body: endpoint } = await app.call('POST', ENDPOINTS, { body: { url: 'https://example.com/' } });
    await app.call('POST', `${ENDPOINTS}${endpoint.id}/rotate-secret/`);
    await app.call('DELETE', `${ENDPOINTS}${endpoint.id}/`);
    const card = await createCard(app);
    await app.call('PUT', `${CARDS}${card.id}/freeze/`, { body: { freeze: true } });
    await app.call('GET', `${CARDS}${card.id}/credentials/`);
    await admin.call('GET', `merchant/cards/${card.id}/`);
    await admin.call('POST', 'sandbox/authorizations/', { card_id: card.id, amount: '1.00' });
    const entries = await entriesSince(app.program.id, last?.id as string);
    expect(entries.map(({ action }) => action)).toEqual([
      ...['program.updated', 'program.funded', 'design.added', 'design.updated'],
      ...['key.created', 'key.created', 'key.rotated', 'key.revoked'],
      ...['webhook_endpoint.added', 'webhook_endpoint.secret_rotated', 'webhook_endpoint.removed'],
      ...['card.created', 'card.frozen', 'card.credentials_revealed'],
      ...['console.viewed_card', 'console.simulateAuthorization'],
    ]);
    for (const { action, secondsAgo } of entries)
      expect([action, secondsAgo >= 0, secondsAgo < LONGEST_SECONDS]).toEqual([action, true, true]);
  });

  test('the database’s time if it belongs to no program', async () => {
    const [last] = (await entriesSince(INSTALLATION_ID, LOWEST_ID)).slice(-1);
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2029-01-01') });
    const { email, password } = await addTestOperator(app, 'viewer');
    await app.call('POST', SESSION, { key: null, body: { email, password: 'wrong' } });
    await app.call('POST', SESSION, { key: null, body: { email, password } });
    const entries = await entriesSince(INSTALLATION_ID, last?.id as string);
    expect(entries.map(({ action, secondsAgo }) => [action, Math.abs(secondsAgo) < LONGEST_SECONDS])).toEqual(
      [
        ['operator.added', true],
        ['operator.sign_in_refused', true],
        ['operator.signed_in', true],
      ],
    );
  });

  test('the time after the wait for a lock, not the time of the request', async () => {
    const { program, key } = await app.addProgram();
    const actor = await testActor(app.db, program.id);
    await advanceDays(app, 3, key);
    await updateProgram(app.db, actor, { holdDays: 5 });
    const [entry] = (await entriesSince(program.id, LOWEST_ID)).slice(-1);
    expect(entry).toMatchObject({ action: 'program.updated' });
    expect(entry?.secondsAgo).toBeLessThan(LONGEST_SECONDS);
  });
});
