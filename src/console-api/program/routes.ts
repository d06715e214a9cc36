import { badRequest, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { readBefore } from '../console-schema.ts';
import type { QueryServices } from '../services.ts';
import { readFunding } from './read-funding.ts';
import { readTerms } from './read-terms.ts';
import { FundingPage, FundingQuery, Terms } from './schema.ts';

/** The program's own settings and money; its balance is that of the merchant API. */
export function programQueryRoutes(app: App, services: Pick<QueryServices, 'db'>): void {
  app.get(
    '/terms/',
    {
      config: { role: 'viewer' } satisfies Access,
      schema: {
        operationId: 'consoleProgramTerms',
        summary: 'Get the terms of the program',
        description: 'Fees and costs, holds and clearings, and when 3-D Secure applies.',
        response: {
          200: success(Terms, 'The terms', EXAMPLE_TERMS),
          ...badRequest([400, 'host: is required']),
        },
      },
    },
    async (request) => readTerms(actorOf(request).program),
  );

  app.get(
    '/funding/',
    {
      config: { role: 'viewer' } satisfies Access,
      schema: {
        operationId: 'consoleProgramFunding',
        summary: 'List the funding of the master account',
        description: 'Newest first.',
        querystring: FundingQuery,
        response: {
          200: success(FundingPage, 'A page of funding', { results: [EXAMPLE_FUNDING], next: null }),
          ...badRequest([400, 'before: must be a record id from `next`']),
        },
      },
    },
    async (request) => readFunding(services, actorOf(request).program.id, readBefore(request.query.before)),
  );
}

const EXAMPLE_TERMS = {
  name: 'Acme cards',
  mode: 'live',
  currency: 'EUR',
  bin: '999900',
  kycProvider: 'sumsub',
  enforceMasterBalance: true,
  holdDays: 7,
  longHoldDays: 30,
  challengeAbove: '30.00',
  requireAuthenticationAbove: null,
  secondPersonAbove: '500.00',
  authenticationDays: 90,
  overHoldPercent: 20,
  allowedExemptions: ['LOW_VALUE', 'TRUSTED_MERCHANT'],
  fees: {
    fxFeeBps: 250,
    interchangeBps: 150,
    cashInterchangeBps: -30,
    transactionCostBps: 10,
    atmFee: '2.00',
    transactionCost: '0.05',
    virtualIssuanceFee: '0.50',
    physicalIssuanceFee: '4.00',
    maintenanceFee: '0.10',
  },
};

const EXAMPLE_FUNDING = {
  id: '019a85f3-0a51-7004-9f3e-5a1c2b3d4e5f',
  amount: '50000.00',
  balance: '99987.50',
  reference: 'Bank transfer 4711',
  actor: { kind: 'cli', name: 'grace' },
  created: '2026-11-15T08:30:00+0000',
};
