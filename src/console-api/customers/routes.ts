import { changeCustomerContact } from '../../cards/customers/change-customer-contact.ts';
import { findCustomer } from '../../cards/customers/find-customer.ts';
import { type Author, addNote, removeNote } from '../../cards/customers/notes.ts';
import { ContactBody } from '../../cards/schema.ts';
import { declaredOnly } from '../../http/body.ts';
import { badRequest, errorResponses, Message, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { type OperatorRequest, operatorOf } from '../confirm-request.ts';
import { readBefore } from '../console-schema.ts';
import { kindOfSearch } from '../search/check-search.ts';
import type { QueryServices } from '../services.ts';
import { PARTS, readTimeline } from '../timeline/read-timeline.ts';
import { findCustomers } from './find-customers.ts';
import { listCustomers } from './list-customers.ts';
import { readCustomer } from './read-customer.ts';
import {
  ContactChanged,
  Customer,
  CustomerPath,
  Customers,
  CustomersQuery,
  CustomerTimeline,
  CustomerTimelineQuery,
  EXAMPLE_CUSTOMER,
  EXAMPLE_CUSTOMERS,
  EXAMPLE_NOTE,
  EXAMPLE_TIMELINE,
  Note,
  NoteBody,
  NotePath,
} from './schema.ts';

const authorOf = (request: OperatorRequest): Author => {
  const { id, name, role } = operatorOf(request);
  return { id, name, isAdmin: role === 'admin' };
};

/** The audit does not store the search text, which may be a name. */
const auditSearch = ({ results }: Customers, { q }: { q?: string }) =>
  q === undefined
    ? null
    : {
        action: 'console.searched' as const,
        after: { by: kindOfSearch(q), cardIds: results.map(({ newestCardId }) => newestCardId) },
      };

export function customerRoutes(app: App, services: QueryServices): void {
  app.get(
    '/customers/',
    {
      config: { role: 'viewer', auditView: auditSearch } satisfies Access,
      schema: {
        operationId: 'consoleCustomers',
        summary: 'List or find customers',
        description: 'All customers, newest first; or with `q` those that match, best match first.',
        querystring: CustomersQuery,
        response: {
          200: success(Customers, 'A page of customers', EXAMPLE_CUSTOMERS),
          ...badRequest([400, 'q: must not be empty']),
        },
      },
    },
    async (request) => {
      const { q, before } = request.query;
      const actor = actorOf(request);
      return q === undefined
        ? listCustomers(services, actor, readBefore(before))
        : findCustomers(services, actor, q);
    },
  );

  app.get(
    '/customers/:customerId/timeline/',
    {
      config: { role: 'viewer' } satisfies Access,
      schema: {
        operationId: 'consoleCustomerTimeline',
        summary: 'List what happened to a customer and the cards',
        description:
          'Transactions, authentications, audited changes and notes over the newest 200 cards, newest first. Views are not listed.',
        params: CustomerPath,
        querystring: CustomerTimelineQuery,
        response: {
          200: success(CustomerTimeline, 'A page of the timeline', EXAMPLE_TIMELINE),
          ...badRequest([400, 'before: must be a record id from `next`']),
        },
      },
    },
    async (request) => {
      const { part, before } = request.query;
      const actor = actorOf(request);
      const { cards, cardholderIds } = await findCustomer(
        services,
        actor.program.id,
        request.params.customerId,
      );
      const subject = { cardIds: cards.map(({ id }) => id), cardholderIds };
      return readTimeline(services, actor, subject, part ? [part] : PARTS, readBefore(before));
    },
  );

  app.get(
    '/customers/:customerId/',
    {
      config: {
        role: 'viewer',
        auditView: ({ cards }: Customer) => ({
          action: 'console.viewed_customer',
          cardId: cards[0]?.id ?? null,
        }),
      } satisfies Access,
      schema: {
        operationId: 'consoleCustomer',
        summary: 'Retrieve a customer with all cards, totals, contact and notes',
        params: CustomerPath,
        response: {
          200: success(Customer, 'The customer', EXAMPLE_CUSTOMER),
          ...badRequest([400, 'customerId: must not be empty']),
        },
      },
    },
    async (request) => readCustomer(services, actorOf(request), request.params.customerId),
  );

  app.put(
    '/customers/:customerId/contact/',
    {
      config: { role: 'support' } satisfies Access,
      schema: {
        operationId: 'consoleChangeCustomerContact',
        summary: 'Change the contact on all cards of a customer',
        description: 'Changes the given fields and keeps the others. Null removes the e-mail.',
        params: CustomerPath,
        body: ContactBody,
        response: {
          200: success(ContactChanged, 'The contact is changed', { cards: 2 }),
          ...badRequest([400, 'body: must have otpPhoneNumber or email']),
          ...errorResponses(409),
        },
      },
    },
    async (request) =>
      changeCustomerContact(
        services,
        actorOf(request),
        request.params.customerId,
        declaredOnly(ContactBody, request.body),
      ),
  );

  app.post(
    '/customers/:customerId/notes/',
    {
      config: { role: 'support' } satisfies Access,
      schema: {
        operationId: 'consoleAddNote',
        summary: 'Add a note about a customer',
        description: 'Stored encrypted. Every operator of the program can read it.',
        params: CustomerPath,
        body: NoteBody,
        response: {
          201: success(Note, 'The note', EXAMPLE_NOTE),
          ...badRequest([400, 'text: must not be empty']),
        },
      },
    },
    async (request, reply) => {
      const { customerId } = request.params;
      const { text } = request.body;
      return reply
        .code(201)
        .send(await addNote(services, actorOf(request), authorOf(request), customerId, text));
    },
  );

  app.delete(
    '/customers/:customerId/notes/:noteId/',
    {
      config: { role: 'support' } satisfies Access,
      schema: {
        operationId: 'consoleRemoveNote',
        summary: 'Remove a note',
        description: 'For its author and for administrators.',
        params: NotePath,
        response: {
          200: success(Message, 'The note is removed', { message: 'The note is removed' }),
          ...badRequest([400, 'noteId: must be an id']),
        },
      },
    },
    async (request) => {
      const { customerId, noteId } = request.params;
      await removeNote(services, actorOf(request), authorOf(request), customerId, noteId);
      return { message: 'The note is removed' };
    },
  );
}
