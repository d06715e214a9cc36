import { declaredOnly } from '../../http/body.ts';
import type { AnswerOnce } from '../../http/idempotency.ts';
import { PageQuery, pageEnvelope, pageOf, readPageQuery } from '../../http/paging.ts';
import { badRequest, IdempotencyHeaders, refusal, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { claimOf, markReplay } from '../../programs/answer-request.ts';
import { RuleMatch, RulePath } from '../schema.ts';
import { MOST_OPEN } from './backtest.ts';
import { type BacktestServices, backtestRule, backtestUnsaved } from './create-backtest.ts';
import { EXAMPLE_BACKTEST, EXAMPLE_BACKTEST_MATCH, EXAMPLE_QUEUED } from './examples.ts';
import { listBacktestMatches, listBacktests, retrieveBacktest } from './read-backtests.ts';
import { Backtest, BacktestBody, BacktestPath, UnsavedBacktestBody, UnsavedBacktestPath } from './schema.ts';

interface BacktestRouteServices extends BacktestServices {
  answerOnce: AnswerOnce;
  publicUrl: string;
}

const tags = ['Rules'];
const MERCHANT = '/api/v1/merchant';
const READ = { scope: 'read', role: 'viewer' } as const satisfies Access;
const CHANGE = { scope: 'rules', role: 'manager' } as const satisfies Access;

const TOO_MANY = refusal(
  409,
  'Too many backtests wait, or the Idempotency-Key was already used with a different request',
  `At most ${MOST_OPEN} backtests can wait; try again when one has completed`,
);
const WRONG_PAGE = badRequest([400, 'page: must be at least 1']);
const MATCHES = pageOf(RuleMatch, 'A page of matches, newest first', EXAMPLE_BACKTEST_MATCH);

/** What a rule would have done with the stored history. */
export function backtestRoutes(app: App, services: BacktestRouteServices): void {
  savedRoutes(app, services);
  resultRoutes(app, services);
  unsavedRoutes(app, services);
}

function savedRoutes(app: App, services: BacktestRouteServices): void {
  app.post(
    '/rules/:ruleId/backtests/',
    {
      config: CHANGE,
      schema: {
        tags,
        operationId: 'backtestRule',
        summary: 'Backtest a rule',
        description:
          'Evaluates a rule of any status for the stored authorizations of some days. Over a time in which the rule was in `SHADOW`, `OBSERVED` finds what was recorded then. One backtest of a program runs at a time; the event `rule.backtest_completed` says when.',
        params: RulePath,
        headers: IdempotencyHeaders,
        body: BacktestBody,
        response: {
          202: success(Backtest, 'Queued', EXAMPLE_QUEUED),
          ...badRequest([400, 'from: must not be after to']),
          ...TOO_MANY,
        },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { ruleId } = request.params;
      const claim = claimOf(request, { endpoint: 'POST rule backtests', request: { ruleId, ...body } });
      const answered = services.answerOnce(claim, (remember) =>
        backtestRule(services, actorOf(request), ruleId, declaredOnly(BacktestBody, body), remember),
      );
      return reply.code(202).send((await markReplay(reply, answered)) as never);
    },
  );

  app.get(
    '/rules/:ruleId/backtests/',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'listRuleBacktests',
        summary: 'List the backtests of a rule',
        params: RulePath,
        querystring: PageQuery,
        response: {
          200: pageOf(Backtest, 'A page of backtests, newest first', EXAMPLE_BACKTEST),
          ...WRONG_PAGE,
        },
      },
    },
    async (request) => {
      const { ruleId } = request.params;
      const page = readPageQuery(request.query);
      const { backtests, found } = await listBacktests(services.db, actorOf(request), ruleId, page);
      const url = `${services.publicUrl}${MERCHANT}/rules/${ruleId}/backtests/`;
      return pageEnvelope(url, request.query, page.pageSize, found.count, backtests, { found }) as never;
    },
  );
}

function resultRoutes(app: App, services: BacktestRouteServices): void {
  app.get(
    '/rules/:ruleId/backtests/:backtestId/',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'retrieveRuleBacktest',
        summary: 'Get a backtest of a rule',
        params: BacktestPath,
        response: { 200: success(Backtest, 'The backtest', EXAMPLE_BACKTEST) },
      },
    },
    async (request) => {
      const { ruleId, backtestId } = request.params;
      return (await retrieveBacktest(services.db, actorOf(request), ruleId, backtestId)) as never;
    },
  );

  app.get(
    '/rules/:ruleId/backtests/:backtestId/matches/',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'listRuleBacktestMatches',
        summary: 'List the matches of a backtest of a rule',
        description: 'Every attempt that the rule matches, newest first.',
        params: BacktestPath,
        querystring: PageQuery,
        response: { 200: MATCHES, ...WRONG_PAGE },
      },
    },
    async (request) => {
      const { ruleId, backtestId } = request.params;
      const page = readPageQuery(request.query);
      const { matches, found } = await listBacktestMatches(
        services.db,
        actorOf(request),
        ruleId,
        backtestId,
        page,
      );
      const url = `${services.publicUrl}${MERCHANT}/rules/${ruleId}/backtests/${backtestId}/matches/`;
      return pageEnvelope(url, request.query, page.pageSize, found.count, matches, { found }) as never;
    },
  );
}

function unsavedRoutes(app: App, services: BacktestRouteServices): void {
  app.post(
    '/rule-backtests/',
    {
      config: CHANGE,
      schema: {
        tags,
        operationId: 'backtestUnsavedRule',
        summary: 'Backtest a rule that is not saved',
        description: 'The rule is checked as if it were created, and evaluated for no authorization.',
        headers: IdempotencyHeaders,
        body: UnsavedBacktestBody,
        response: {
          202: success(Backtest, 'Queued', { ...EXAMPLE_QUEUED, ruleId: null }),
          ...badRequest([400, 'rule.when.all[1].value: at most 2 decimals in EUR']),
          ...TOO_MANY,
        },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const claim = claimOf(request, { endpoint: 'POST rule-backtests', request: body });
      const answered = services.answerOnce(claim, (remember) =>
        backtestUnsaved(services, actorOf(request), declaredOnly(UnsavedBacktestBody, body), remember),
      );
      return reply.code(202).send((await markReplay(reply, answered)) as never);
    },
  );

  app.get(
    '/rule-backtests/:backtestId/',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'retrieveBacktest',
        summary: 'Get a backtest',
        description: 'Of any rule, also of one that is not saved.',
        params: UnsavedBacktestPath,
        response: { 200: success(Backtest, 'The backtest', { ...EXAMPLE_BACKTEST, ruleId: null }) },
      },
    },
    async (request) =>
      (await retrieveBacktest(services.db, actorOf(request), undefined, request.params.backtestId)) as never,
  );

  app.get(
    '/rule-backtests/:backtestId/matches/',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'listBacktestMatches',
        summary: 'List the matches of a backtest',
        description:
          'Of any rule, also of one that is not saved: every attempt that the rule matches, newest first.',
        params: UnsavedBacktestPath,
        querystring: PageQuery,
        response: { 200: MATCHES, ...WRONG_PAGE },
      },
    },
    async (request) => {
      const { backtestId } = request.params;
      const page = readPageQuery(request.query);
      const { matches, found } = await listBacktestMatches(
        services.db,
        actorOf(request),
        undefined,
        backtestId,
        page,
      );
      const url = `${services.publicUrl}${MERCHANT}/rule-backtests/${backtestId}/matches/`;
      return pageEnvelope(url, request.query, page.pageSize, found.count, matches, { found }) as never;
    },
  );
}
