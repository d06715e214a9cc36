import { refusal } from '../scripts/refusal.ts';

const OWN_SERVER = 'starts a PostgreSQL of its own';
const PLANS =
  'counts pages by plans: Citus makes no generic ones, looks at every shard, and cannot explain some inserts';

/** Test files that cannot hold on Citus, each with its reason. */
export const NOT_ON_CITUS: Record<string, string> = {
  'src/db/embedded/supervisor.test.ts': OWN_SERVER,
  'test/chaos/chaos.long.test.ts': OWN_SERVER,
  'test/invariants/console-plans.test.ts': PLANS,
  'test/invariants/list-plans.test.ts': PLANS,
  'test/invariants/queue-plans.test.ts': PLANS,
  'test/security/strangers.timed.test.ts': 'measures rates and times, which are those of one server',
  'test/schema.test.ts': 'compares the schema before distribution, and adds to it what Citus refuses to',
};

/** Whether the run is on Citus. */
export function isCitusRun(): boolean {
  const chosen = process.env['TEST_CLUSTER'];
  if (chosen && chosen !== 'citus') throw refusal(`TEST_CLUSTER is "citus" or nothing, not "${chosen}"`);
  return Boolean(chosen);
}
