import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CARDS, consumerCard } from '../support/cards/cards.ts';
import { type Cluster, startCluster } from '../support/database/cluster.ts';
import { sql } from '../support/database/database.ts';
import type { InstalledPostgres } from '../support/database/installed-postgres.ts';
import { isCitusRun } from '../support/database/on-citus.ts';
import { eventually } from '../support/scripts/eventually.ts';
import { runCli } from '../support/server/cli.ts';
import { addCard, type Fleet, purchase, type Reply, startFleet } from '../support/server/server-fleet.ts';
import { newDataDir } from '../support/server/server-process.ts';
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts';

const DOWN_MS = 60_000;
const EVERY_MS = 200;
const OPERATOR = { email: 'ops@example.com', password: 'a password for 1 cluster' };
const HOME = `
  select n.nodeport as port from pg_dist_placement s join pg_dist_node n on n.groupid = s.groupid
  where s.shardid = get_shard_id_for_distribution_column('cards', $1::uuid)`;

describe.runIf(isCitusRun())('a node of a cluster is down for a minute', () => {
  let cluster: Cluster;
  let env: Record<string, string>;
  let fleet: Fleet;
  let receiver: Receiver;
  const homeOf = async (programId: string): Promise<InstalledPostgres> => {
    const [home] = await sql<{ port: number }>(cluster.url, HOME, [programId]);
    return cluster.nodes.find(({ port }) => port === home?.port) as InstalledPostgres;
  };

  beforeAll(async () => {
    cluster = await startCluster(3, 4);
    receiver = await startReceiver((_, response) => response.end());
    env = {
      MIGRATION_DATABASE_URL: cluster.url,
      DATABASE_URL: cluster.serverUrl,
      EMBOSS_MASTER_KEY: randomBytes(32).toString('base64'),
      DATA_DIR: newDataDir(),
    };
    fleet = await startFleet(2, cluster.serverUrl, env);
    const args = ['operator', 'add', OPERATOR.email, '--password-stdin', '--own-password'];
    const { code, err } = await runCli(env, args, { stdin: Readable.from([OPERATOR.password]) });
    expect({ code, err }).toEqual({ code: 0, err: '' });
  }, 120_000);
  afterAll(async () => {
    await fleet.close();
    await receiver.close();
    await cluster.stop();
  });

  /** A program on another node than the given one, the status of a request about it, and a reversal of the network. */
  async function addProgramAwayFrom(port: number): Promise<{
    home: InstalledPostgres;
    authorize(): Promise<number>;
    reverse(id: string): Promise<number>;
  }> {
    for (let index = 1; ; index++) {
      const name = `Other ${index}`;
      const terms = ['--currency', 'EUR', '--bin', '999901', '--json'];
      const { json } = await runCli(env, ['program', 'create', '--name', name, ...terms]);
      const home = await homeOf(json.id);
      if (home.port === port) continue;
      const { json: key } = await runCli(env, ['key', 'create', '--program', name, '--json']);
      const network = ['key', 'create', '--kind', 'network', '--program', name, '--json'];
      const { json: networkKey } = await runCli(env, network);
      const authorize = async () =>
        (await fetch(fleet.urlOf(0) + CARDS, { headers: { 'x-payments-api-key': key.key } })).status;
      const reverse = async (id: string) => {
        const headers = { 'content-type': 'application/json', 'x-network-key': networkKey.key };
        const body = JSON.stringify({ reversal_id: id, external_transaction_id: id });
        const url = `${fleet.urlOf(1)}/api/v1/network/reversals/`;
        return (await fetch(url, { method: 'POST', headers, body })).status;
      };
      return { home, authorize, reverse };
    }
  }

  test('programs of the others notice nothing, its own are back with it', async () => {
    const [program] = await sql<{ id: string }>(cluster.url, 'select id from programs');
    const other = await addProgramAwayFrom((await homeOf(program?.id as string)).port);
    expect(await other.authorize()).toBe(200);
    const hook = { url: `${receiver.url}/hooks` };
    expect((await fleet.merchant(0, 'POST', '/api/v1/merchant/webhook-endpoints/', hook)).status).toBe(201);
    const cards = [];
    for (let count = 0; count < 12; count++) cards.push(await addCard(fleet));

    await other.home.kill('SIGKILL');
    const refused: Reply[] = [];
    const sent: Record<string, number> = {};
    const expectAnswer = async (what: string, answered: Promise<Reply>): Promise<Reply> => {
      const reply = await answered;
      sent[what] = (sent[what] ?? 0) + 1;
      if (reply.status >= 300) refused.push(reply);
      return reply;
    };
    const signIn = async (): Promise<Reply> => {
      const answer = await fetch(`${fleet.urlOf(1)}/console/api/session/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(OPERATOR),
      });
      return { status: answer.status, body: await answer.json() };
    };
    const yesterday = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
    const reports: string[] = [];
    const end = performance.now() + DOWN_MS;
    for (let round = 0; performance.now() < end; round++, await pause(EVERY_MS)) {
      const { credentials } = cards[round % cards.length] as (typeof cards)[number];
      // The second server has seen none of the cards.
      await expectAnswer(
        'authorization',
        fleet.network(1, 'authorizations/', purchase(`down-${round}`, credentials, '1.00')),
      );
      // The purchases of several programs are looked up together.
      const reversal = { reversal_id: `down-${round}`, external_transaction_id: `down-${round}` };
      const [lost] = await Promise.all([
        other.reverse(`lost-${round}`),
        expectAnswer('reversal', fleet.network(1, 'reversals/', reversal)),
      ]);
      expect(lost).toBe(503);
      if (round % 5 === 0) await expectAnswer('card', fleet.merchant(1, 'POST', CARDS, consumerCard()));
      if (round % 25 === 0) await expectAnswer('sign-in', signIn());
      if (round % 25 === 0) {
        const path = `/api/v1/merchant/files/daily/?date=${yesterday}`;
        reports.push((await expectAnswer('report', fleet.merchant(1, 'GET', path))).body.reference_id);
      }
    }
    expect({ refused, sent }).toMatchObject({ refused: [] });
    process.stdout.write(`while a node was down: ${JSON.stringify(sent)}\n`);
    const events = Number(sent['authorization']) + Number(sent['card']);
    await eventually(() => expect(receiver.arrived.length).toBeGreaterThanOrEqual(events));
    await eventually(async () => {
      const state = await fleet.merchant(1, 'GET', `/api/v1/merchant/files/requests/${reports[0]}/`);
      expect(state.body.link).toEqual(expect.any(String));
    });
    expect(await other.authorize()).toBe(503);

    await other.home.start();
    await eventually(async () => expect(await other.authorize()).toBe(200));
  }, 240_000);
});
