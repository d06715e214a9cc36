import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { decimal } from '../model/card.ts';
import { sql } from '../support/database/database.ts';
import { chosenPooler, type Pooler, startPooler } from '../support/database/pooler.ts';
import { seededRandom } from '../support/scripts/random.ts';
import { refusal } from '../support/scripts/refusal.ts';
import { ROOT } from '../support/scripts/sources.ts';
import { check } from './checker/check.ts';
import type { Finding, Report } from './checker/finding.ts';
import { startSnapshots } from './checker/snapshots.ts';
import { type Clients, createClients } from './clients.ts';
import { type Figures, figuresOf } from './figures.ts';
import { finish, untilNonePrepared, within } from './finish.ts';
import { now, OPERATIONS, openHistory } from './history.ts';
import type { FromInjector, InjectedFault, InjectorSettings, ToInjector } from './inject-faults.ts';
import { TIMEOUT_MS } from './merchant.ts';
import { LINKS, type Missing, NODES, type Order, ROLES, requiredKinds, SERVERS } from './plan.ts';
import {
  commandSettings,
  createKeeper,
  formCluster,
  type Keeper,
  type Keys,
  launchPostgres,
  launchReceiver,
  launchRole,
  newKeys,
  runCommand,
} from './processes.ts';
import { setTerms, TERMS } from './terms.ts';
import type { Operator } from './wire.ts';
import { closeWorkspace, openWorkspace, type Tampering, type Workspace } from './workspace.ts';

export interface ChaosOptions {
  seed: number;
  minutes: number;
  clients: number;
  /** Faults of these kinds alone; a planted fault needs no others to be found. */
  only?: readonly string[];
  tampering?: Tampering;
  /** On a coordinator and two nodes with Citus instead of one PostgreSQL. */
  cluster?: boolean;
  /** Whether a slow return of a process is a finding, as it is on a machine of one's own. */
  judgeRecovery: boolean;
  /** Green also where this machine cannot do every kind of fault. */
  allowMissing?: boolean;
  keep?: boolean;
  log?: (line: string) => void;
}

/** `void`: the run did not test what it is meant to test. */
export interface Verdict {
  colour: 'green' | 'red' | 'void';
  findings: Finding[];
  /** What was not reached, for a run that is void. */
  notReached: string[];
  missing: Missing;
  figures: Figures;
}

/** Two servers, two workers, PostgreSQL, a receiver and many clients; faults are injected meanwhile, and a checker runs at the end. */
export async function runChaos(options: ChaosOptions): Promise<Verdict> {
  const { seed, minutes, cluster = false, log = () => {} } = options;
  const poolerVersion = chosenPooler(process.env['TEST_POOLER']);
  if (cluster && poolerVersion) throw refusal('a cluster is run without TEST_POOLER');
  const findings: Finding[] = [];
  const report: Report = (guarantee, text) => void findings.push({ guarantee, text });
  const workspace = await openWorkspace(minutes, options.tampering ?? {}, cluster);
  for (const [kind, why] of Object.entries(workspace.missing)) log(`LEFT OUT: ${kind}: ${why}`);
  const keeper = createKeeper(workspace);
  const keys = newKeys();
  const injectedFaults: InjectedFault[] = [];
  // What does not end in time must not continue for ever.
  const given = new AbortController();
  let injector: Awaited<ReturnType<typeof startInjector>> | undefined;
  let pooler: Pooler | undefined;
  const tidyUp = async () => {
    given.abort();
    injector?.end();
    await keeper.close();
    await pooler?.stop();
    if (options.keep) log(`kept in ${workspace.dir}`);
    else closeWorkspace(workspace);
  };
  let tidied: Promise<void> | undefined;
  // Ctrl-C comes twice, from the terminal and from npm: the second must not end what the first has begun.
  const onSignal = () => {
    tidied ??= tidyUp().finally(() => process.exit(1));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    for (const one of workspace.postgres) keeper.start(one.name, launchPostgres(workspace, one));
    keeper.start('receiver', launchReceiver(workspace, seed));
    for (const { name } of workspace.postgres) await keeper.ready(name);
    if (poolerVersion) pooler = await startPooler(workspace.serverUrl, poolerVersion);
    injector = await startInjector(workspace, pooler?.url ?? workspace.serverUrl, keys, injectedFaults, log);
    if (cluster) await formCluster(workspace, keys, injector.links);
    startRoles(workspace, keeper, keys, injector.links, pooler?.namedStatements ?? true);
    await allReady(workspace, keeper);
    await addOperator(workspace, keys);
    const urls = SERVERS.map((name) => injector?.links[`clients to ${name}`] as string);
    const { operator, webhookSecret } = await prepareProgram(workspace, keys, urls[0] as string);
    const history = openHistory(join(workspace.dir, 'history.jsonl'));
    const clients = createClients({ urls, keys, operator, history, seed, givenUp: given.signal });
    for (let n = 0; n < 14; n++) await clients.addCard({ poor: n % 4 === 0 });
    log(`seed ${seed}: ready, ${options.clients} clients begin`);

    const beganAt = now();
    const snapshots = startSnapshots(workspace.databaseUrl, report);
    const living = clients.run(options.clients);
    // Reported where it is awaited, at the end.
    living.catch(() => {});
    const probing = startProbes(clients);
    // Few faults alone are for planted ones, which are about money that Emboss keeps.
    const switching = options.only ? undefined : startSwitching(workspace.databaseUrl, seed);
    const { only, judgeRecovery: awaitReturns } = options;
    await injector.carryOut({ seed, minutes, only, missing: workspace.missing, cluster, awaitReturns });
    // On a busy machine the faults of a short run end before every operation has run.
    for (const end = now() + LONGEST_TURN_MS; now() < end && !isAllReached(clients); ) await pause(100);
    const ranMs = now() - beganAt;

    log('no more faults; coming to rest');
    clients.stop();
    await switching?.stop();
    await within(minutes, 'processes were not back', report, allReady(workspace, keeper));
    const migrating = runCommand(workspace.nextRelease, ['migrate'], commandSettings(workspace, keys));
    await Promise.all([
      within(minutes, 'clients had no answer', report, living),
      within(minutes, 'the next release did not migrate', report, migrating),
    ]);
    await within(
      minutes,
      'prepared transactions were left behind',
      report,
      untilNonePrepared(workspace, given.signal),
    );
    await within(
      minutes,
      'reports and webhooks did not come through',
      report,
      finish({ workspace, clients, keys, url: urls[0] as string, givenUp: given.signal }),
    );
    await probing.stop();
    await snapshots.stop();
    log('checking');
    await check(workspace.dir, workspace.databaseUrl, webhookSecret, report);
    const figures = figuresOf({
      dir: workspace.dir,
      processRuns: keeper.processRuns,
      injectedFaults,
      ranMs,
      snapshots: snapshots.taken(),
      findings,
    });
    if (options.judgeRecovery)
      for (const { name, ms } of figures.slowReturns)
        report('first success within 2 s', `${name} answered ${ms} ms after it was back`);
    return verdictOf(findings, figures, workspace.missing, options);
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    await (tidied ?? tidyUp());
  }
}

const LONGEST_TURN_MS = 30_000;
const isAllReached = ({ reached }: Clients): boolean =>
  OPERATIONS.every((operation) => reached.has(operation));

function verdictOf(
  findings: Finding[],
  figures: Figures,
  missing: Missing,
  { only, cluster = false, allowMissing, judgeRecovery }: ChaosOptions,
): Verdict {
  const required = requiredKinds(allowMissing ? missing : {}, cluster, only);
  const notReached = [
    ...required
      .filter((kind) => !figures.struck[kind])
      .map((kind) => `fault: ${kind}${missing[kind] ? ` (${missing[kind]})` : ''}`),
    ...(judgeRecovery && figures.returns === 0 ? ['no return after a kill was seen'] : []),
    ...figures.operationsNotReached.map((operation) => `operation: ${operation}`),
    ...figures.keysNotTried.map((operation) => `with a revoked key: ${operation}`),
    ...(figures.unknown === 0 ? ['no answer was ever lost'] : []),
    ...(figures.snapshots === 0 ? ['no snapshot was taken'] : []),
  ];
  const colour = findings.length > 0 ? 'red' : notReached.length > 0 ? 'void' : 'green';
  return { colour, findings, notReached, missing, figures };
}

async function startInjector(
  workspace: Workspace,
  databaseUrl: string,
  keys: Keys,
  injectedFaults: InjectedFault[],
  log: (line: string) => void,
) {
  const targets: Record<string, string> = {};
  for (const link of LINKS) {
    const end = [...SERVERS, ...NODES].find((name) => link.endsWith(name));
    targets[link] = end ? `http://127.0.0.1:${workspace.ports[end]}` : databaseUrl;
  }
  const settings: InjectorSettings = {
    dir: workspace.dir,
    disk: workspace.disk,
    diskMegabytes: workspace.diskMegabytes,
    postgres: Object.fromEntries(workspace.postgres.map(({ name, url }) => [name, url])),
    links: targets,
    commands: {
      release: workspace.release,
      nextRelease: workspace.nextRelease,
      env: commandSettings(workspace, keys),
    },
  };
  const path = join(workspace.dir, 'injector.json');
  writeFileSync(path, JSON.stringify(settings), { mode: 0o600 });
  const child = fork(join(ROOT, 'test/chaos/inject-faults.ts'), [path], {
    cwd: ROOT,
    execArgv: ['--import', 'tsx'],
  });
  const [{ links }] = (await once(child, 'message')) as [{ links: Record<string, string> }];
  return {
    links: Object.fromEntries(Object.entries(links).map(([name, url]) => [name, url.replace(/\/$/, '')])),
    carryOut: (order: Order) =>
      new Promise<void>((done, fail) => {
        child.once('exit', () => fail(new Error('the fault injector ended')));
        child.on('message', (message: FromInjector) => {
          if ('done' in message) done();
          if (!('injected' in message)) return;
          injectedFaults.push(message.injected);
          const { kind, struck, beganAt, endedAt } = message.injected;
          log(`${kind}${struck ? '' : ' (missed)'}: ${Math.round(endedAt - beganAt)} ms`);
        });
        child.send({ order } satisfies ToInjector);
      }),
    end: () => void child.kill('SIGKILL'),
  };
}

/** All at once: one of them creates the schema and the program, and the others find them. */
function startRoles(
  workspace: Workspace,
  keeper: Keeper,
  keys: Keys,
  links: Record<string, string>,
  namedStatements: boolean,
): void {
  const publicUrl = links['clients to server-0'] as string;
  for (const name of ROLES) {
    const databaseUrl = links[`${name} to postgres`] as string;
    keeper.start(name, launchRole(workspace, name, keys, { databaseUrl, namedStatements, publicUrl }));
  }
}

const allReady = async ({ postgres }: Workspace, keeper: Keeper): Promise<void> => {
  const names = [...ROLES, ...postgres.map(({ name }) => name), 'receiver' as const];
  await Promise.all(names.map((name) => keeper.ready(name)));
};

const OPERATOR = { email: 'chaos@example.com', password: 'a password for 1 chaos' };

/** An operator who may create keys. */
async function addOperator(workspace: Workspace, keys: Keys): Promise<void> {
  const args = ['operator', 'add', OPERATOR.email, '--role', 'admin', '--password-stdin', '--own-password'];
  await runCommand(workspace.release, args, commandSettings(workspace, keys), `${OPERATOR.password}\n`);
}

/** Terms, the operator's session, and an endpoint that wants every event. */
async function prepareProgram(
  workspace: Workspace,
  keys: Keys,
  url: string,
): Promise<{ operator: Operator; webhookSecret: string }> {
  await setTerms(workspace.databaseUrl);
  const [program] = await sql<{ id: string }>(workspace.databaseUrl, 'select id from programs');
  const post = async (path: string, body: object, method = 'POST') => {
    const headers = { 'content-type': 'application/json', 'x-payments-api-key': keys.merchant };
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const session = await post('/console/api/session/', OPERATOR);
  const [cookie = ''] = (session.headers.get('set-cookie') ?? '').split(';');
  const { csrfToken } = (await session.json()) as { csrfToken: string };
  const hook = `http://127.0.0.1:${workspace.ports.receiver}/hooks`;
  const endpoint = await post('/api/v1/merchant/webhook-endpoints/', { url: hook });
  const { secret } = (await endpoint.json()) as { secret: string };
  const decides = `http://127.0.0.1:${workspace.ports.receiver}/decide`;
  const limits = Object.entries(TERMS.standIn ?? {}).map(([name, minor]) => [name, Number(decimal(minor))]);
  const standIn = Object.fromEntries(limits);
  const decision = { url: decides, timeoutMs: TIMEOUT_MS, standIn };
  await post('/api/v1/merchant/decision-endpoints/authorization/', decision, 'PUT');
  return { operator: { programId: program?.id ?? '', cookie, csrfToken }, webhookSecret: secret };
}

const SWITCH_EVERY_MS = 400;

/** Changes who decides, and the rule for a missing response. The database may be unavailable. */
function startSwitching(databaseUrl: string, seed: number): { stop(): Promise<void> } {
  const random = seededRandom(seed);
  const oneOf = (names: readonly string[]) => names[Math.floor(random() * names.length)];
  let stopped = false;
  const change = async (): Promise<void> => {
    for (; !stopped; await pause(SWITCH_EVERY_MS)) {
      const mode = oneOf(['STANDARD', 'REAL_TIME', 'REAL_TIME', 'BOTH', 'BOTH']);
      const rule = oneOf(['DECLINE', 'STANDARD', 'APPROVE']);
      await sql(databaseUrl, 'update programs set authorization_mode = $1', [mode]).catch(() => {});
      const endpoint = 'update decision_endpoints set on_failure = $1, paused = $2';
      await sql(databaseUrl, endpoint, [rule, random() < 0.1]).catch(() => {});
    }
  };
  const changing = change();
  return {
    stop: async () => {
      stopped = true;
      await changing;
    },
  };
}

const PROBE_EVERY_MS = 150;

/** Sends every server a small request all the time: its first response shows that it is back. */
function startProbes({ attempt, merchant }: Clients): { stop(): Promise<void> } {
  let stopped = false;
  let count = 0;
  const probe = async (index: number): Promise<void> => {
    while (!stopped) {
      const wire = merchant('GET', '/api/v1/merchant/cards/?page_size=1');
      await attempt(index, { operation: 'read', id: `read-${++count}`, args: {} }, wire);
      await pause(PROBE_EVERY_MS);
    }
  };
  const probes = SERVERS.flatMap((_, index) => [probe(index), probe(index)]);
  return {
    stop: async () => {
      stopped = true;
      await Promise.all(probes);
    },
  };
}
