import pg from 'pg';
import { actOf } from '../src/cards/card.ts';
import { createCard } from '../src/cards/create-card.ts';
import type { CreateCardBody } from '../src/cards/schema.ts';
import type { Database, Statement, Tx } from '../src/db/database.ts';
import { createSandboxProvider } from '../src/kyc/sandbox-provider.ts';
import type { Program } from '../src/programs/program.ts';
import type { Vault } from '../src/vault/vault.ts';

type Recorded = Array<{ name?: string; text: string; values: unknown[] }>;

/** What create card sends in its transaction, taken from the product itself, so that it can never differ. */
export async function recordTransactions(
  { db, vault }: { db: Database; vault: Vault },
  program: Program,
  bodies: CreateCardBody[],
): Promise<Recorded[]> {
  const caller = { keyId: program.id, scopes: [], program, realNow: Date.now };
  const sandbox = createSandboxProvider(async () => null);
  const recorded: Recorded[] = [];
  for (const body of bodies) {
    const statements: Recorded = [];
    const tx = {
      query: async (statement: Statement, values: readonly unknown[] = []) => {
        // The vault may look whether its keys are still the newest; that is no part of every creation.
        if (statement.text.startsWith('select')) return db.query(statement, values);
        statements.push({ ...statement, values: [...values] });
        return [{}];
      },
    } as unknown as Tx;
    const recorder: Database = { ...db, transaction: (work) => work(tx) };
    const services = { db: recorder, vault, kycProviders: { sandbox, sumsub: undefined } };
    await createCard(services, actOf(caller, 'req_bench'), body, async () => {});
    recorded.push(statements);
  }
  return recorded;
}

/** Runs them over as many connections as the server's pool has, each transaction sent in one piece. */
export async function replayTransactions(
  databaseUrl: string,
  connections: number,
  recorded: Recorded[],
): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: databaseUrl, pipeline: true } as pg.ClientConfig);
      await client.connect();
      return client;
    }),
  );
  const pending = recorded.values();
  const started = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      for (const statements of pending)
        await Promise.all([
          client.query('begin'),
          ...statements.map((statement) => client.query(statement)),
          client.query('commit'),
        ]);
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  for (const client of clients) await client.end();
  return recorded.length / seconds;
}
