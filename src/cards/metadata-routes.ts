import type { Database } from '../db/database.ts';
import { EXAMPLE_METADATA, MetadataBody, MetadataResponse } from '../http/metadata-schema.ts';
import { badRequest, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import type { Access } from '../programs/access.ts';
import { actorOf } from '../programs/actor.ts';
import { changeMetadata } from './change-metadata.ts';
import { CardPath } from './schema.ts';

export function metadataRoutes(app: App, { db }: { db: Database }): void {
  app.put(
    '/cards/:cardId/metadata/',
    {
      config: { scope: 'write', role: 'manager' } satisfies Access,
      schema: {
        tags: ['Cards'],
        operationId: 'setCardMetadata',
        summary: 'Set metadata of a card',
        description: 'Sets the given pairs and keeps the others. Null removes a pair.',
        params: CardPath,
        body: MetadataBody,
        response: {
          200: success(MetadataResponse, 'All metadata of the card', { metadata: EXAMPLE_METADATA }),
          ...badRequest([400, 'metadata.order_id: must be at most 200 characters']),
        },
      },
    },
    async (request) => changeMetadata(db, actorOf(request), request.params.cardId, request.body.metadata),
  );
}
