import { isDeepStrictEqual } from 'node:util';
import type { Attempt, Operation } from '../history.ts';
import { TERMS } from '../terms.ts';
import type { Report } from './finding.ts';
import { groupBy, type Row, type Rows } from './rows.ts';
import { storedAnswer } from './stored-answer.ts';

/** Every request against its effect in the database: present, absent, or wholly one of the two; and once. */

export interface Request {
  operation: Operation;
  id: string;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has its own
  args: any;
  attempts: Attempt[];
  /** ok: once is enough. refused: every time. Anything else is unknown, since an older try may have come through. */
  outcome: Attempt['outcome'];
  /** Of the tries that were answered with ok. */
  // biome-ignore lint/suspicious/noExplicitAny: each operation has its own
  answers: any[];
}

export function requestsOf(attempts: readonly Attempt[]): Request[] {
  return [...groupBy(attempts, ({ operation, id }) => `${operation}/${id}`).values()].map((group) => {
    const [{ operation, id, args }] = group as [Attempt];
    const ok = group.filter(({ outcome }) => outcome === 'ok');
    const refused = group.every(({ outcome }) => outcome === 'refused');
    const outcome = ok.length > 0 ? 'ok' : refused ? 'refused' : 'unknown';
    return { operation, id, args, attempts: group, outcome, answers: ok.map(({ answer }) => answer) };
  });
}

/** How many times the request's effect is in the database, against how it was answered. */
function judge(report: Report, { operation, id, outcome }: Request, effects: number): void {
  const what = `${operation} ${id}`;
  if (effects > 1) report('one effect per id', `${what} is there ${effects} times`);
  if (outcome === 'ok' && effects === 0)
    report('acknowledged is present', `${what} was acknowledged and is lost`);
  if (outcome === 'refused' && effects > 0) report('refused is absent', `${what} was refused and is there`);
}

const EVENT_NAMES: Record<string, string[]> = {
  authorization: ['authorization', 'authorization.declined'],
  advice: ['authorization', 'authorization.declined'],
  increment: ['authorization.increment', 'authorization.declined'],
  clearing: ['authorization.clearing', 'settlement.unmatched'],
  reversal: [
    'authorization.reversal',
    'authorization.clearing.reversal',
    'refund.reversal',
    'settlement.unmatched.reversal',
  ],
  refund: ['refund', 'settlement.unmatched'],
};

export function checkEffects(requests: readonly Request[], rows: Rows, report: Report): void {
  checkMessages(requests, rows, report);
  checkCards(requests, rows, report);
  checkAdjustments(requests, rows, report);
  checkAudited(rows, report);
  checkKeys(requests, rows, report);
  checkReportRequests(requests, rows, report);
}

function checkMessages(requests: readonly Request[], rows: Rows, report: Report): void {
  const messages = new Map(rows.messages.map((row) => [`${row['kind']}/${row['message_id']}`, row]));
  const events = groupBy(rows.events, ({ event_name: name, data }) => `${name}/${data.message_id}`);
  const transactions = new Set(rows.transactions.map((row) => row['id']));
  // A request that comes after its advice gets the advice's outcome, without an event.
  const advised = new Set(
    requests.filter(({ operation }) => operation === 'advice').map(({ args }) => args.message.purchaseId),
  );
  for (const request of requests) {
    const { operation: kind } = request;
    const names = EVENT_NAMES[kind];
    if (!names) continue;
    const isTransaction = kind === 'authorization' || kind === 'refund';
    const key = `${isTransaction ? 'transaction' : kind}/${request.id}`;
    const message = messages.get(key);
    messages.delete(key);
    const recorded = names.flatMap((name) => events.get(`${name}/${request.id}`) ?? []);
    judge(report, request, Math.max(message ? 1 : 0, recorded.length));
    checkAnswers(request, message, report);
    // A reversal that finds nothing held changes nothing and has no event.
    const silent =
      (kind === 'authorization' && advised.has(request.id) && recorded.length === 0) ||
      (kind === 'reversal' && message && storedAnswer(kind, message)['bill_amount'] === '0.00');
    // A number that no card has: the money of a clearing or refund is in suspense, with an event of no card.
    const moves = message && (message['card_id'] || request.args.card === undefined);
    const expected = moves ? 1 : 0;
    if (recorded.length !== expected && !silent)
      report(
        'unknown is wholly in or out',
        `${request.operation} ${request.id}: ${recorded.length} events of ${expected}`,
      );
    if (isTransaction && message?.['card_id'] && !transactions.has(message['transaction_id']))
      report('unknown is wholly in or out', `${request.operation} ${request.id} has no transaction`);
  }
  for (const key of messages.keys()) report('nothing made up', `message ${key} was never sent`);
}

function checkAnswers(
  { operation, id, args, answers }: Request,
  message: Row | undefined,
  report: Report,
): void {
  for (const answer of answers)
    if (message && !isDeepStrictEqual(answer, storedAnswer(operation, message, args.message)))
      report('one effect per id', `${operation} ${id} was answered in two ways`);
}

/** A card is found by its spend limit, which no other card of the run has. */
function checkCards(requests: readonly Request[], rows: Rows, report: Report): void {
  const bySpend = groupBy(rows.cards, (row) => Number(row['spend_limit_minor']));
  const counters = new Map(rows.counters.map((row) => [row['card_id'], row]));
  const credentials = groupBy(rows.credentials, (row) => row['card_id']);
  const sealed = groupBy(rows.vaultRecords, (row) => `${row['owner_id']}/${row['kind']}`);
  const accounts = new Set(rows.accounts.map((row) => row['id']));
  const movements = groupBy(rows.transfers, (row) => row['movement_id']);
  const created = groupBy(
    rows.events.filter((row) => row['event_name'] === 'card.created'),
    (row) => row['card_id'],
  );
  const audited = groupBy(
    rows.audit.filter((row) => row['action'] === 'card.created'),
    (row) => row['card_id'],
  );
  const reissues = groupBy(
    requests.filter(({ operation }) => operation === 'reissue'),
    ({ args }) => args.card,
  );
  for (const request of requests.filter(({ operation }) => operation === 'create')) {
    const made = bySpend.get(request.args.spendMinor) ?? [];
    bySpend.delete(request.args.spendMinor);
    judge(report, request, made.length);
    for (const { id } of request.answers)
      if (!made.some((row) => row['id'] === id))
        report('one effect per id', `${request.id} was answered with another card`);
    for (const { id } of made) {
      const moved = (movements.get(id) ?? []).map((row) => `${row['code']} ${row['amount_minor']}`).sort();
      const right = [
        `issuance_fee ${TERMS.virtualIssuanceFeeMinor}`,
        `opening_balance ${request.args.spendMinor}`,
      ];
      const parts = {
        counters: counters.has(id),
        credential: (credentials.get(id)?.length ?? 0) > 0,
        fingerprints: sealed.get(`${id}/fingerprint`)?.length === credentials.get(id)?.length,
        number: (sealed.get(`${id}/number`)?.length ?? 0) > 0,
        holder: sealed.get(`${id}/holder`)?.length === 1,
        application: sealed.get(`${id}/application`)?.length === 1,
        account: accounts.has(id),
        money: moved.join() === right.join(),
        event: created.get(id)?.length === 1,
        audit: audited.get(id)?.length === 1,
      };
      for (const [part, there] of Object.entries(parts))
        if (!there) report('unknown is wholly in or out', `card ${id} lacks its ${part}`);
      checkReissues(id, reissues.get(id) ?? [], credentials.get(id)?.length ?? 0, report);
    }
  }
  for (const [spend] of bySpend) report('nothing made up', `a card with ${spend} was never requested`);
}

function checkReissues(
  cardId: string,
  reissues: readonly Request[],
  credentials: number,
  report: Report,
): void {
  const certain = reissues.filter(({ outcome }) => outcome === 'ok').length;
  const possible = reissues.filter(({ outcome }) => outcome !== 'refused').length;
  if (credentials - 1 < certain)
    report(
      'acknowledged is present',
      `card ${cardId}: ${certain} reissues acknowledged, ${credentials - 1} there`,
    );
  if (credentials - 1 > possible)
    report('one effect per id', `card ${cardId}: ${credentials - 1} reissues there, ${possible} requested`);
}

function checkAdjustments(requests: readonly Request[], rows: Rows, report: Report): void {
  const byReference = groupBy(rows.adjustments, (row) => row['reference']);
  const movements = groupBy(rows.transfers, (row) => row['movement_id']);
  for (const request of requests.filter(({ operation }) => operation === 'adjust')) {
    const made = byReference.get(request.id) ?? [];
    byReference.delete(request.id);
    judge(report, request, made.length);
    for (const row of made) {
      const [transfer, ...more] = movements.get(row['id']) ?? [];
      const minor = BigInt(request.args.minor);
      const up = minor > 0n;
      const right =
        transfer &&
        more.length === 0 &&
        transfer['amount_minor'] === (up ? minor : -minor) &&
        transfer[up ? 'credit_account_id' : 'debit_account_id'] === request.args.card &&
        row['amount_minor'] === minor;
      if (!right)
        report('unknown is wholly in or out', `adjustment ${request.id} moved other money than requested`);
    }
  }
  for (const [reference] of byReference)
    report('nothing made up', `adjustment ${reference} was never requested`);
  const told = groupBy(
    rows.events.filter(
      ({ event_name, data }) => event_name === 'card.updated' && data.changed[0] === 'balance',
    ),
    (row) => row['card_id'],
  );
  const made = groupBy(rows.adjustments, (row) => row['card_id']);
  for (const { id } of rows.cards) {
    const [events, adjustments] = [told, made].map((of) => of.get(id)?.length ?? 0);
    if (events !== adjustments)
      report(
        'unknown is wholly in or out',
        `card ${id}: ${adjustments} adjustments, ${events} events of them`,
      );
  }
}

const AUDITED = ['card.frozen', 'card.unfrozen', 'card.blocked'];

/** Each change of a card's status is in the audit. */
function checkAudited(rows: Rows, report: Report): void {
  const recorded = groupBy(rows.events, (row) => `${row['card_id']}/${row['event_name']}`);
  const audited = groupBy(rows.audit, (row) => `${row['card_id']}/${row['action']}`);
  for (const { id } of rows.cards)
    for (const name of AUDITED) {
      const [events, audits] = [recorded, audited].map((of) => of.get(`${id}/${name}`)?.length ?? 0);
      if (events !== audits)
        report(
          'unknown is wholly in or out',
          `card ${id}: ${events} times ${name}, ${audits} times in the audit`,
        );
    }
}

function checkKeys(requests: readonly Request[], rows: Rows, report: Report): void {
  const byName = groupBy(rows.keys, (row) => row['name']);
  for (const request of requests.filter(({ operation }) => operation === 'create key'))
    judge(report, request, byName.get(request.id)?.length ?? 0);
  for (const { args, outcome, id } of requests.filter(({ operation }) => operation === 'revoke key'))
    if (outcome === 'ok' && !byName.get(args.key)?.[0]?.['revoked'])
      report('acknowledged is present', `${id} was acknowledged, and its key is not revoked`);
}

function checkReportRequests(requests: readonly Request[], rows: Rows, report: Report): void {
  const there = new Set(rows.reportRequests.map((row) => row['id']));
  for (const { id, answers } of requests.filter(({ operation }) => operation === 'report'))
    for (const { reference_id: reference } of answers)
      if (!there.has(reference)) report('acknowledged is present', `${id} was acknowledged and is lost`);
}
