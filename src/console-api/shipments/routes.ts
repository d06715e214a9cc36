import { badRequest, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { CardOfProgramPath } from '../console-schema.ts';
import type { QueryServices } from '../services.ts';
import { readShipment } from './read-shipment.ts';
import { EXAMPLE_SHIPMENT, ShipmentDetail } from './schema.ts';

export function shipmentRoutes(app: App, services: QueryServices): void {
  app.get(
    '/cards/:cardId/shipment/',
    {
      config: {
        role: 'support',
        auditView: ({ cardId }: { cardId: string }) => ({ action: 'console.viewed_shipment', cardId }),
      } satisfies Access,
      schema: {
        operationId: 'consoleCardShipment',
        summary: 'Retrieve the last shipment of a card with its address',
        description: 'Every view is audited.',
        params: CardOfProgramPath,
        response: {
          200: success(ShipmentDetail, 'The shipment', EXAMPLE_SHIPMENT),
          ...badRequest([400, 'cardId: must be an id']),
        },
      },
    },
    async (request) => readShipment(services, actorOf(request).program.id, request.params.cardId),
  );
}
