import { expect, test } from 'vitest';
import { runChaos } from './run.ts';

/** Repeat a run with EMBOSS_CHAOS_SEED. */
const SEED = Number(process.env['EMBOSS_CHAOS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

test('every fault once, in an order of chance: what was told holds, and nothing else happened', async () => {
  const { findings, notReached } = await runChaos({
    seed: SEED,
    minutes: 0,
    clients: 12,
    judgeRecovery: false,
  });
  expect({ seed: SEED, findings, notReached }).toEqual({ seed: SEED, findings: [], notReached: [] });
}, 240_000);
