import { setTimeout } from 'node:timers/promises';
import { bytesOf, shellLine } from './bytes.ts';
import { hasSucceeded } from './coverage.ts';
import type { Dice } from './dice.ts';
import { type Call, checkEffect } from './effects.ts';
import { changesBetween, readFootprint } from './footprint.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { type Judge, parse } from './judge.ts';
import { kindOf, type Operation } from './operations.ts';
import { GUEST, newPool, type Pool, remember } from './pool.ts';
import { chooseOperation, makeRequest } from './requests.ts';
import type { Person, Stage, Tenant } from './stage.ts';
import { answeredOf, bytesOfPacket, judgePacket, makePacket, type Packet } from './together.ts';
import { waysOf } from './ways.ts';
import { type Connection, Hang, openConnection, type Reply } from './wire.ts';

/** Long, since passwords are hashed one after the other at their full price, and a busy machine takes seconds for one. */
const ANSWER_LIMIT_MS = 60_000;
/** How often the tables are compared after a request that may be refused. */
const LOOKED_AT = 0.12;
/** How often what carries an id of its own is sent a second time. */
const SENT_TWICE = 0.2;
/** How often several go in one packet. */
const SENT_TOGETHER = 0.03;
/** How often it is one that this lane has not seen succeed yet, as plain as can be: the rare ones are met too. */
const SENT_FOR_SUCCESS = 0.25;
/** The share of requests after which only those are sent, while there are any. */
const ONLY_FOR_SUCCESS_FROM = 0.8;

/** The first records, which requests can name. */
const FIRST = [
  ...[
    'createCard',
    'createCard',
    'createCardBatch',
    'addWebhookEndpoint',
    'putDecisionEndpoint',
    'simulateAuthorization',
    'authorize',
    'simulateAuthorization',
  ],
  ...['listWebhookEvents', 'createKey', 'requestFile', 'getFileRequest', 'registerKycApplicant'],
  ...['changeForwarding', 'simulateAuthentication', 'changeForwarding', 'simulateAuthentication'],
  ...['beginSecondFactor', 'confirmSecondFactor', 'renewRecoveryCodes', 'removeSecondFactor'],
  ...['beginSecondFactor', 'confirmSecondFactor', 'removePersonSecondFactor'],
  ...['invitePerson', 'acceptInvitation', 'invitePerson', 'revokeInvitation'],
];

export interface Finding {
  lane: number;
  /** The request of the lane, from 1. */
  request: number;
  operation: string;
  trick: string;
  what: string;
  /** For a shell. */
  again: string;
}

export interface LaneReport {
  findings: Finding[];
  /** `operation status` → how often. */
  seen: Map<string, number>;
  /** `operation way` → how often, as `waysOf` names them. */
  ways: Map<string, number>;
  sent: number;
}

interface LaneOptions {
  lane: number;
  requests: number;
  stage: Stage;
  other: Tenant;
  operations: Operation[];
  dice: Dice;
  judge: (secrets: () => string[]) => Judge;
  mayGoOn: () => boolean;
  onSent: () => void;
  onFinding: (finding: Finding) => void;
}

/** One caller after the other's answer, in a program of its own: the same seed sends the same requests. */
export async function runLane(options: LaneOptions): Promise<LaneReport> {
  const { lane, requests, stage, operations, dice } = options;
  const tenant = await stage.addTenant(`lane-${lane}`);
  const pool = newPool(tenant);
  const connection = openConnection(stage.url, ANSWER_LIMIT_MS);
  const report: LaneReport = { findings: [], seen: new Map(), ways: new Map(), sent: 0 };
  const judge = options.judge(() => [
    tenant.key,
    tenant.networkKey,
    ...pool.cards.flatMap(({ number }) => number ?? []),
  ]);
  let guests = 0;
  pool.session = await signIn(stage.url, await stage.addPerson(tenant.programId, `lane-${lane}-admin`));
  const tools = { ...options, judge, connection, seen: report.seen };
  const note = (request: FuzzRequest, found: string[]): void => {
    for (const way of waysOf(request)) count(report.ways, `${request.operation.id} ${way}`);
    report.sent++;
    options.onSent();
    for (const what of found) {
      const { operation, trick } = request;
      const about = { lane, request: report.sent, operation: operation.id, trick, what };
      const finding = { ...about, again: shellLine(request, stage.url) };
      report.findings.push(finding);
      options.onFinding(finding);
    }
  };
  while (report.sent < requests && options.mayGoOn()) {
    if (report.sent > FIRST.length && dice.chance(SENT_TOGETHER)) {
      const packet = makePacket(operations, pool, stage, options.other, dice);
      if (packet.requests.length === 0) continue;
      const found = await exchangePacket(packet, pool, tools);
      for (const [index, request] of packet.requests.entries()) note(request, index === 0 ? found : []);
      continue;
    }
    const first = operations.find(({ id }) => id === FIRST[report.sent]);
    const isEnding = report.sent > requests * ONLY_FOR_SUCCESS_FROM;
    const plain = first ?? chooseMissed(operations, report.seen, dice, isEnding ? 1 : SENT_FOR_SUCCESS);
    const operation = plain ?? chooseOperation(operations, dice);
    if (operation.template.includes('/session/') && pool.guest.cookie === '')
      await welcomeGuest(stage, pool, `lane-${lane}-guest-${++guests}`);
    const request = makeRequest(operation, pool, stage, options.other, dice, plain !== undefined);
    note(request, await sendAndCheck(request, pool, tools));
  }
  connection.close();
  return report;
}

function chooseMissed(
  operations: Operation[],
  seen: LaneReport['seen'],
  dice: Dice,
  chance: number,
): Operation | undefined {
  if (!dice.chance(chance)) return undefined;
  const missed = operations.filter(({ id }) => !hasSucceeded(seen, id));
  return missed.length === 0 ? undefined : dice.pick(missed);
}

interface Tools {
  stage: Stage;
  dice: Dice;
  judge: Judge;
  connection: Connection;
  seen: Map<string, number>;
}

async function sendAndCheck(request: FuzzRequest, pool: Pool, tools: Tools): Promise<string[]> {
  const { stage, dice, judge, connection, seen } = tools;
  const { operation } = request;
  const { programId } = pool.tenant;
  const call = callerFor(stage.url, pool);
  const findings: string[] = [];
  const describe = (error: Error): string[] => [`looking at what it did failed: ${error.message}`];
  const look = () => readFootprint(stage.db, programId);
  const before = dice.chance(LOOKED_AT) ? await look() : undefined;
  const isSentTwice = dice.chance(SENT_TWICE);
  let reply: Reply | undefined;
  try {
    reply = await send(request, stage.url, connection);
  } catch (error) {
    if (error instanceof Hang) return [...findings, error.message];
    throw error;
  }
  if (!request.isDocumented || !reply) for (const card of pool.cards) card.isUncertain = true;
  if (!reply && mayGoUnanswered(request)) return findings;
  if (!reply) return [...findings, 'the server closed the connection without an answer'];
  if (request.isDocumented) count(seen, `${operation.id} ${reply.status}`);
  findings.push(...judge(request, reply));
  // The console audits a request before it is done, and a refusal by the operation comes after that. Refused reveals are audited.
  const isAudited = operation.api === 'console' || operation.id === 'revealCredentials';
  const except = isAudited ? ['audit_entries'] : [];
  if (before && reply.status >= 400)
    findings.push(
      ...changesBetween(before, await look(), except).map(
        (table) => `refused with ${reply.status}, and yet ${table} changed`,
      ),
    );
  if (reply.status >= 300 || !request.isDocumented) {
    await keepSession(request, reply, pool);
    return findings;
  }
  const effect = checkEffect(request, reply, pool, call);
  findings.push(...(await effect.catch(describe)));
  if (isSentTwice && hasOwnId(request)) findings.push(...(await sendTwice(request, reply, pool, tools)));
  return findings;
}

/** Several in one packet: each has its own answer, in the order in which they were sent. */
async function exchangePacket(packet: Packet, pool: Pool, tools: Tools): Promise<string[]> {
  const { stage, judge, connection, seen } = tools;
  let replies: Reply[];
  try {
    replies = await connection.sendTogether(bytesOfPacket(packet, new URL(stage.url).host));
  } catch (error) {
    if (error instanceof Hang) return [error.message];
    throw error;
  }
  const findings = judgePacket(packet, replies, judge);
  const call = callerFor(stage.url, pool);
  for (const [index, request] of answeredOf(packet).entries()) {
    const reply = replies[index];
    if (!reply || !request.isDocumented) continue;
    count(seen, `${request.operation.id} ${reply.status}`);
    findings.push(...(await checkEffect(request, reply, pool, call)));
  }
  return findings;
}

const send = (request: FuzzRequest, url: string, connection: Connection): Promise<Reply | undefined> =>
  connection.call(bytesOf(request, new URL(url).host), {
    delivery: request.delivery,
    isHead: request.method === 'HEAD',
    last: !request.isDocumented,
    isBroken: request.wire !== undefined,
  });

/** Half a request needs no response, and a connection with non-HTTP bytes may be closed. */
const mayGoUnanswered = ({ delivery, wire }: FuzzRequest): boolean =>
  delivery === 'cut' || wire !== undefined;

const hasOwnId = ({ operation, headers, value }: FuzzRequest): boolean => {
  if (headers.some(([name]) => name === 'idempotency-key')) return true;
  const body = value as Record<string, unknown> | undefined;
  const ids: Record<string, string> = {
    authorize: 'external_transaction_id',
    reverse: 'reversal_id',
    clear: 'clearing_id',
    refund: 'refund_id',
    simulateAuthorization: 'external_transaction_id',
    simulateReversal: 'reversal_id',
    simulateClearing: 'clearing_id',
    simulateRefund: 'refund_id',
  };
  const id = ids[kindOf(operation)];
  return id !== undefined && body?.[id] !== undefined;
};

/** A repeat gets the same answer and changes nothing. */
async function sendTwice(request: FuzzRequest, reply: Reply, pool: Pool, tools: Tools): Promise<string[]> {
  const before = await readFootprint(tools.stage.db, pool.tenant.programId);
  const again = await send(request, tools.stage.url, tools.connection);
  const changed = changesBetween(before, await readFootprint(tools.stage.db, pool.tenant.programId), [
    'audit_entries',
  ]);
  return [
    ...(again?.text === reply.text ? [] : [`sent again it is answered ${again?.text.slice(0, 300)}`]),
    ...changed.map((table) => `sent again it changed ${table}`),
  ];
}

function callerFor(url: string, { tenant, session }: Pool): Call {
  return async (method, path, cookie) => {
    const headers = cookie
      ? { cookie, 'x-csrf-token': session.csrfToken }
      : { 'x-payments-api-key': tenant.key };
    const response = await fetch(url + path, { method, headers });
    return { status: response.status, body: await response.json() };
  };
}

/** A guest who is locked out, or whose session ended, is replaced by another. */
async function keepSession({ operation, caller }: FuzzRequest, { status }: Reply, pool: Pool): Promise<void> {
  if (operation.template.includes('/session/') && caller === 'right' && (status === 401 || status === 429))
    pool.guest.cookie = '';
}

/** Keeps the guest's id and session, which the lane's administrator and the guest can end. */
async function welcomeGuest(stage: Stage, pool: Pool, name: string): Promise<void> {
  const person = await stage.addPerson(pool.tenant.programId, name);
  const { operatorId, ...session } = await signIn(stage.url, person);
  pool.guest = { ...person, ...session, recoveryCodes: [] };
  const answer = await fetch(`${stage.url}/console/api/session/sessions/`, {
    headers: { cookie: session.cookie },
  });
  const { sessions } = parse(await answer.text()) as { sessions: Array<{ id: string }> };
  remember(pool.people, operatorId);
  pool.sessions = { [GUEST]: sessions[0]?.id as string, [operatorId]: sessions[0]?.id as string };
}

async function signIn(
  url: string,
  { email, password }: Person,
  retries = 12,
): Promise<{ cookie: string; csrfToken: string; operatorId: string }> {
  const response = await fetch(`${url}/console/api/session/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  // The checks of other lanes hold the places of this address: checks for sessions go before them.
  if (response.status === 429 && retries > 0) {
    await response.body?.cancel();
    await setTimeout(1_000 * Number(response.headers.get('retry-after')));
    return signIn(url, { email, password }, retries - 1);
  }
  const { csrfToken, operator } = parse(await response.text()) as {
    csrfToken: string;
    operator?: { id: string };
  };
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  if (!response.ok) throw new Error(`signing in was answered ${response.status}`);
  return { cookie, csrfToken, operatorId: operator?.id ?? '' };
}

const count = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);
