import type { Database } from '../../db/database.ts';
import { pageEnvelope, pageOf, readPageQuery } from '../../http/paging.ts';
import { badRequest, errorResponses, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import type { Vault } from '../../vault/vault.ts';
import { EXAMPLE_CARD_ANSWER } from '../examples.ts';
import { freezeCustomer } from './freeze-customer.ts';
import { listCustomers } from './list-customers.ts';
import { retrieveCustomer } from './retrieve-customer.ts';
import {
  Customer,
  CustomerDetails,
  CustomerFreezeBody,
  CustomerPath,
  CustomersQuery,
  EXAMPLE_CUSTOMER,
  EXAMPLE_CUSTOMER_DETAILS,
  FrozenCards,
} from './schema.ts';

export interface CustomerRouteServices {
  db: Database;
  vault: Vault;
  publicUrl: string;
  onError: (error: unknown) => void;
}

/** A customer is a `meta.id` with all its cards. */
export function customerRoutes(app: App, services: CustomerRouteServices): void {
  const tags = ['Customers'];

  app.get(
    '/customers/',
    {
      config: { scope: 'read', role: 'viewer' } satisfies Access,
      schema: {
        tags,
        operationId: 'listCustomers',
        summary: 'List customers',
        description:
          'Those with the newest first card first. `min_created` and `max_created` are days of the first card. Following `next` returns every customer exactly once, even while new ones are added.',
        querystring: CustomersQuery,
        response: {
          200: pageOf(Customer, 'A page of customers', EXAMPLE_CUSTOMER),
          ...badRequest([400, 'page: must be at least 1']),
        },
      },
    },
    async (request) => {
      const page = readPageQuery(request.query);
      const { count, customers } = await listCustomers(services, actorOf(request), page, request.query.id);
      const url = `${services.publicUrl}/api/v1/merchant/customers/`;
      return pageEnvelope(url, request.query, page.pageSize, count, customers, {
        cursorOf: (customer) => customer.firstCardId,
      });
    },
  );

  app.get(
    '/customers/:customerId/',
    {
      config: {
        scope: 'read',
        role: 'viewer',
        auditView: ({ cards }: { cards: Array<{ id: string }> }) => ({
          action: 'console.viewed_customer',
          cardId: cards[0]?.id ?? null,
        }),
        // The totals are over all cards, which may be very many.
        inTurn: true,
      } satisfies Access & { inTurn: true },
      schema: {
        tags,
        operationId: 'retrieveCustomer',
        summary: 'Retrieve a customer with all cards, contact and totals',
        params: CustomerPath,
        response: { 200: success(CustomerDetails, 'The customer', EXAMPLE_CUSTOMER_DETAILS) },
      },
    },
    async (request) => retrieveCustomer(services, actorOf(request), request.params.customerId),
  );

  app.put(
    '/customers/:customerId/freeze/',
    {
      config: { scope: 'write', role: 'support' } satisfies Access,
      schema: {
        tags,
        operationId: 'freezeCustomer',
        summary: 'Freeze or unfreeze all cards of a customer',
        description:
          'Freezes the active cards, all or none. Unfreezing reaches only the cards that were frozen this way: one that was frozen by itself stays frozen. Blocked and expired cards stay as they are.',
        params: CustomerPath,
        body: CustomerFreezeBody,
        response: {
          200: success(FrozenCards, 'The cards as they are now', {
            cards: [{ id: EXAMPLE_CARD_ANSWER.id, status: 'FROZEN' }],
          }),
          ...badRequest([400, 'freeze: must be a boolean']),
          ...errorResponses(409),
        },
      },
    },
    async (request) => {
      const { freeze, reason } = request.body;
      return freezeCustomer(services, actorOf(request), request.params.customerId, freeze, reason);
    },
  );
}
