import { Type } from 'typebox';
import { declaredOnly, OPTIONAL_BODY } from '../http/body.ts';
import type { AnswerOnce } from '../http/idempotency.ts';
import { PageQuery, pageEnvelope, pageOf, readPageQuery } from '../http/paging.ts';
import { badRequest, IdempotencyHeaders, Message, refusal, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import { schemasOf } from '../lists/filters.ts';
import type { Access } from '../programs/access.ts';
import { actorOf } from '../programs/actor.ts';
import { claimOf, markReplay } from '../programs/answer-request.ts';
import { backtestRoutes } from './backtests/routes.ts';
import { archiveRule, type ChangeServices, demoteRule, promoteRule } from './change-rule.ts';
import { createRule, type RuleServices } from './create-rule.ts';
import { type EvaluateServices, evaluateCondition } from './evaluate-condition.ts';
import { EXAMPLE_LEAVES, EXAMPLE_MATCH, EXAMPLE_RULE } from './examples.ts';
import { RULE_FILTERS } from './filters.ts';
import { FIELDS } from './language/fields.ts';
import { listRoutes } from './list-routes.ts';
import { readCondition } from './read-condition.ts';
import { listMatches, listProgramRules, type ReadServices, retrieveRule } from './read-rules.ts';
import { reportRule } from './report-rule.ts';
import { MOST_RULES } from './rule.ts';
import {
  EvaluateBody,
  Evaluation,
  FieldCatalogue,
  PromoteBody,
  ReportQuery,
  Rule,
  RuleBody,
  RuleMatch,
  RulePath,
  RuleReport,
  ValidateBody,
} from './schema.ts';

export interface RuleRouteServices extends RuleServices, ChangeServices, ReadServices, EvaluateServices {
  answerOnce: AnswerOnce;
  publicUrl: string;
}

const tags = ['Rules'];
const PATH = '/api/v1/merchant/rules/';
const READ = { scope: 'read', role: 'viewer' } as const satisfies Access;
const CHANGE = { scope: 'rules', role: 'manager' } as const satisfies Access;
const FAULT = [400, 'when.all[1].value: at most 2 decimals in EUR'] as [number, string];

/** The merchant's rules for authorizations. */
export function ruleRoutes(app: App, services: RuleRouteServices): void {
  languageRoutes(app, services);
  creationRoutes(app, services);
  stepRoutes(app, services);
  historyRoutes(app, services);
  listRoutes(app, services);
  backtestRoutes(app, services);
}

function languageRoutes(app: App, services: RuleRouteServices): void {
  app.get(
    '/rules/fields/',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'listRuleFields',
        summary: 'List the fields of conditions',
        description:
          'The catalogue of what a condition can compare, with operators, values and an example of each.',
        response: {
          200: success(FieldCatalogue, 'The fields', { fields: FIELDS.slice(0, 1).map(presentField) }),
        },
      },
    },
    async () => ({ fields: FIELDS.map(presentField) }),
  );

  app.post(
    '/rules/validate/',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'validateRule',
        summary: 'Check a condition',
        description: 'A valid condition is a 200; a wrong one gets the 400 that a creation would get.',
        body: ValidateBody,
        response: {
          200: success(Message, 'The condition is valid', { message: 'The condition is valid' }),
          ...badRequest(FAULT),
        },
      },
    },
    async (request) => {
      await readCondition(services.db, actorOf(request).program, request.body.when);
      return { message: 'The condition is valid' };
    },
  );

  app.post(
    '/rules/evaluate/',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'evaluateRule',
        summary: 'Evaluate a condition for a sample',
        description: 'Nothing is stored. The answer has what each leaf of the condition saw.',
        body: EvaluateBody,
        response: {
          200: success(Evaluation, 'The result', { result: true, leaves: EXAMPLE_LEAVES }),
          ...badRequest(FAULT),
        },
      },
    },
    async (request) => {
      const { when, sample } = request.body;
      return (await evaluateCondition(services, actorOf(request), when, sample)) as never;
    },
  );
}

const presentField = ({ operators, nullable, values, ...field }: (typeof FIELDS)[number]) => ({
  ...{ name: field.name, type: field.type, operators: [...operators], mayBeNull: nullable },
  ...{ values: values && [...values], listType: field.listType, example: field.example },
});

function creationRoutes(app: App, services: RuleRouteServices): void {
  app.post(
    '/rules/',
    {
      config: CHANGE,
      schema: {
        tags,
        operationId: 'createRule',
        summary: 'Create a rule',
        description: `The rule begins in \`SHADOW\`: it is evaluated for every authorization and decides nothing. A rule never changes: create another one that \`replaces\` it. A program can have ${MOST_RULES} rules that are not archived.`,
        headers: IdempotencyHeaders,
        body: RuleBody,
        response: {
          201: success(Rule, 'Created', EXAMPLE_RULE),
          ...badRequest(FAULT, [400, 'appliesTo.cardIds[0]: is not a card in this program']),
          ...refusal(
            409,
            'The program has too many rules, or the Idempotency-Key was already used with a different request',
            `A program can have at most ${MOST_RULES} rules; archive one first`,
          ),
        },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const claim = claimOf(request, { endpoint: 'POST rules', request: body });
      const answered = services.answerOnce(claim, (remember) =>
        createRule(services, actorOf(request), declaredOnly(RuleBody, body), remember),
      );
      return reply.code(201).send((await markReplay(reply, answered)) as never);
    },
  );

  app.get(
    '/rules/',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'listRules',
        summary: 'List rules',
        description: 'Newest first, archived rules included.',
        querystring: Type.Object({ ...schemasOf(RULE_FILTERS), ...PageQuery.properties }),
        response: {
          200: pageOf(Rule, 'A page of rules, newest first', EXAMPLE_RULE),
          ...badRequest([400, 'page: must be at least 1']),
        },
      },
    },
    async (request) => {
      const page = readPageQuery(request.query);
      const { count, rules, found } = await listProgramRules(services, actorOf(request), page, request.query);
      const url = services.publicUrl + PATH;
      return pageEnvelope(url, request.query, page.pageSize, count, rules, { found }) as never;
    },
  );

  app.get(
    '/rules/:ruleId/',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'retrieveRule',
        summary: 'Get a rule',
        params: RulePath,
        response: { 200: success(Rule, 'The rule', EXAMPLE_RULE) },
      },
    },
    async (request) => (await retrieveRule(services, actorOf(request), request.params.ruleId)) as never,
  );
}

const wrongStep = (message: string) => refusal(409, 'The rule has another status', message);

function stepRoutes(app: App, services: RuleRouteServices): void {
  app.post(
    '/rules/:ruleId/promote/',
    {
      config: CHANGE,
      schema: {
        tags,
        operationId: 'promoteRule',
        summary: 'Promote a rule to ACTIVE',
        description:
          'It decides every authorization that begins after the answer, and the rule that it replaces is archived in the same instant. A 409 with the number asks for `confirm` if the rule would have declined more than 5 % (a setting of the program) of the approvals of the last 7 days, or was not in `SHADOW` for 7 days and has no completed backtest.',
        params: RulePath,
        body: { ...PromoteBody, [OPTIONAL_BODY]: true },
        response: {
          200: success(Rule, 'Promoted', { ...EXAMPLE_RULE, status: 'ACTIVE' }),
          ...badRequest([400, 'confirm: must be a boolean']),
          ...refusal(
            409,
            'The rule has another status, or the promotion needs a confirmation',
            'The rule would have declined 12 of 150 approvals of the last 7 days (8 %), more than 5 %; send "confirm": true to promote it',
          ),
        },
      },
    },
    async (request) => {
      const { confirm = false } = request.body;
      return (await promoteRule(services, actorOf(request), request.params.ruleId, confirm)) as never;
    },
  );

  app.post(
    '/rules/:ruleId/demote/',
    {
      config: CHANGE,
      schema: {
        tags,
        operationId: 'demoteRule',
        summary: 'Demote a rule to SHADOW',
        description: 'It decides no authorization that begins after the answer.',
        params: RulePath,
        response: {
          200: success(Rule, 'Demoted', EXAMPLE_RULE),
          ...wrongStep('The rule is SHADOW; it can be promoted or archived'),
        },
      },
    },
    async (request) => (await demoteRule(services, actorOf(request), request.params.ruleId)) as never,
  );

  app.delete(
    '/rules/:ruleId/',
    {
      config: CHANGE,
      schema: {
        tags,
        operationId: 'archiveRule',
        summary: 'Archive a rule',
        description: 'It is evaluated no more, and counts in no limit. It stays readable, with its matches.',
        params: RulePath,
        response: {
          200: success(Rule, 'Archived', { ...EXAMPLE_RULE, status: 'ARCHIVED' }),
          ...wrongStep('The rule is ARCHIVED; it stays so; create a new rule'),
        },
      },
    },
    async (request) => (await archiveRule(services, actorOf(request), request.params.ruleId)) as never,
  );
}

function historyRoutes(app: App, services: RuleRouteServices): void {
  app.get(
    '/rules/:ruleId/matches/',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'listRuleMatches',
        summary: 'List the matches of a rule',
        description: 'The authorizations, increments and advices that the rule matched, newest first.',
        params: RulePath,
        querystring: PageQuery,
        response: {
          200: pageOf(RuleMatch, 'A page of matches, newest first', EXAMPLE_MATCH),
          ...badRequest([400, 'page: must be at least 1']),
        },
      },
    },
    async (request) => {
      const { ruleId } = request.params;
      const page = readPageQuery(request.query);
      const { matches, found } = await listMatches(services, actorOf(request), ruleId, page);
      const url = `${services.publicUrl}${PATH}${ruleId}/matches/`;
      return pageEnvelope(url, request.query, page.pageSize, found.count, matches, { found }) as never;
    },
  );

  app.get(
    '/rules/:ruleId/report/',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'getRuleReport',
        summary: 'Get the figures of a rule by day',
        params: RulePath,
        querystring: ReportQuery,
        response: {
          200: success(RuleReport, 'The figures', {
            ...{ from: '2026-11-15', to: '2026-11-15', currency: 'EUR' },
            byDay: [
              { day: '2026-11-15', evaluated: 150, matched: 12, wouldHaveChanged: 12, amount: '960.00' },
            ],
            lastWeek: { approvals: 1_040, wouldDecline: 12 },
          }),
          ...badRequest([400, 'from: must not be after to']),
        },
      },
    },
    async (request) => reportRule(services, actorOf(request), request.params.ruleId, request.query),
  );
}
