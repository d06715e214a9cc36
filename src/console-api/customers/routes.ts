import { changeCustomerContact } from '../../cards/customers/change-customer-contact.ts';
import { type Author, addNote, removeNote } from '../../cards/customers/notes.ts';
import { ContactBody } from '../../cards/schema.ts';
import { declaredOnly } from '../../http/body.ts';
import { badRequest, errorResponses, Message, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { type OperatorRequest, operatorOf } from '../confirm-request.ts';
import type { QueryServices } from '../services.ts';
import { readCustomer } from './read-customer.ts';
import {
  ContactChanged,
  Customer,
  CustomerPath,
  EXAMPLE_CUSTOMER,
  EXAMPLE_NOTE,
  Note,
  NoteBody,
  NotePath,
} from './schema.ts';

const authorOf = (request: OperatorRequest): Author => {
  const { id, name, role } = operatorOf(request);
  return { id, name, isAdmin: role === 'admin' };
};

export function customerRoutes(app: App, services: QueryServices): void {
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
