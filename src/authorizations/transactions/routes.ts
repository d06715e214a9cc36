import { Type } from 'typebox';
import { CardPath } from '../../cards/schema.ts';
import type { Database } from '../../db/database.ts';
import { EXAMPLE_METADATA, MetadataBody, MetadataResponse } from '../../http/metadata-schema.ts';
import { PageQuery, pageEnvelope, pageOf, readPageQuery } from '../../http/paging.ts';
import { badRequest, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { schemasOf } from '../../lists/filters.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import type { Vault } from '../../vault/vault.ts';
import { changeMetadata } from './change-metadata.ts';
import { EXAMPLE_DETAILS, EXAMPLE_TRANSACTION } from './examples.ts';
import { TRANSACTION_FILTERS } from './filters.ts';
import { listTransactions } from './list-transactions.ts';
import { retrieveTransaction } from './retrieve-transaction.ts';
import { Transaction, TransactionDetails, TransactionPath } from './schema.ts';

/** A card's list is of one card and of one customer. */
const { card_id: _card, external_customer_id: _customer, ...ofOneCard } = TRANSACTION_FILTERS;

export interface TransactionRouteServices {
  db: Database;
  vault: Vault;
  publicUrl: string;
  onError: (error: unknown) => void;
}

/** Transactions of all cards or of one card, for the merchant. */
export function transactionRoutes(app: App, services: TransactionRouteServices): void {
  const page = pageOf(Transaction, 'A page of transactions, newest first', EXAMPLE_TRANSACTION);
  const refused = badRequest([400, 'page: must be at least 1']);

  app.get(
    '/transactions/',
    {
      config: { scope: 'read', role: 'viewer' } satisfies Access,
      schema: {
        tags: ['Transactions'],
        operationId: 'listTransactions',
        summary: 'List transactions',
        description:
          'Transactions of all cards, newest first, including declined ones. A refund is a separate transaction.',
        querystring: Type.Object({ ...schemasOf(TRANSACTION_FILTERS), ...PageQuery.properties }),
        response: { 200: page, ...refused },
      },
    },
    async (request) => {
      const page = readPageQuery(request.query);
      const { count, transactions, found } = await listTransactions(
        services,
        actorOf(request),
        page,
        request.query,
      );
      const url = `${services.publicUrl}/api/v1/merchant/transactions/`;
      return pageEnvelope(url, request.query, page.pageSize, count, transactions, { found });
    },
  );

  app.get(
    '/transactions/:transactionId/',
    {
      config: { scope: 'read', role: 'viewer' } satisfies Access,
      schema: {
        tags: ['Transactions'],
        operationId: 'getTransaction',
        summary: 'Get a transaction',
        description: 'With its fees, the numbers behind a decline, and its history.',
        params: TransactionPath,
        response: { 200: success(TransactionDetails, 'The transaction', EXAMPLE_DETAILS) },
      },
    },
    async (request) => retrieveTransaction(services, actorOf(request), request.params.transactionId),
  );

  app.put(
    '/transactions/:transactionId/metadata/',
    {
      config: { scope: 'write', role: 'manager' } satisfies Access,
      schema: {
        tags: ['Transactions'],
        operationId: 'setTransactionMetadata',
        summary: 'Set metadata of a transaction',
        description: 'Sets the given pairs and keeps the others. Null removes a pair.',
        params: TransactionPath,
        body: MetadataBody,
        response: {
          200: success(MetadataResponse, 'All metadata of the transaction', { metadata: EXAMPLE_METADATA }),
          ...badRequest([400, 'metadata.order_id: must be at most 200 characters']),
        },
      },
    },
    async (request) =>
      changeMetadata(services.db, actorOf(request), request.params.transactionId, request.body.metadata),
  );

  app.get(
    '/cards/:cardId/transactions/',
    {
      config: { scope: 'read', role: 'viewer' } satisfies Access,
      schema: {
        tags: ['Transactions'],
        operationId: 'listCardTransactions',
        summary: "List a card's transactions",
        params: CardPath,
        querystring: Type.Object({ ...schemasOf(ofOneCard), ...PageQuery.properties }),
        response: { 200: page, ...refused },
      },
    },
    async (request) => {
      const { cardId } = request.params;
      const page = readPageQuery(request.query);
      const { count, transactions, found } = await listTransactions(
        services,
        actorOf(request),
        page,
        request.query,
        cardId,
      );
      const url = `${services.publicUrl}/api/v1/merchant/cards/${cardId}/transactions/`;
      return pageEnvelope(url, request.query, page.pageSize, count, transactions, { found });
    },
  );
}
