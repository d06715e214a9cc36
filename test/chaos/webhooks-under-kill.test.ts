import { expect, test } from 'vitest';
import { freshDatabase, sql } from '../support/database.ts';
import { endAll } from '../support/server-process.ts';
import { runWebhooks } from '../support/webhook-run.ts';

/** Repeat a run with EMBOSS_CHAOS_SEED. */
const SEED = Number(process.env['EMBOSS_CHAOS_SEED'] ?? Math.floor(Math.random() * 2 ** 32));

test('workers are killed, a third of the deliveries fail, some hang: nothing is lost, nothing is made up', async () => {
  const databaseUrl = await freshDatabase();
  try {
    const { findings, received } = await runWebhooks({
      databaseUrl,
      seed: SEED,
      events: 600,
      cards: 6,
      kills: 4,
    });
    expect({ seed: SEED, findings }).toEqual({ seed: SEED, findings: [] });
    expect(received).toBeGreaterThanOrEqual(600);
    const tries = await sql<{ tries: number }>(
      databaseUrl,
      'select count(*)::int as tries from webhook_attempts',
    );
    expect(tries[0]?.tries).toBeGreaterThan(600);
  } finally {
    await endAll();
  }
}, 120_000);
