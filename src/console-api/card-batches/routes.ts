import { MOST_ROWS } from '../../cards/batches/batch.ts';
import { readCardCsv } from '../../cards/batches/card-csv.ts';
import { errorOfRow } from '../../cards/batches/check-rows.ts';
import { BATCH_BOUNDS } from '../../cards/batches/routes.ts';
import type { BodyConfig } from '../../http/body.ts';
import { badRequest, refusal, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { fieldOf, invalid } from '../../kernel/error.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { CardCsv, CardCsvBody, EXAMPLE_CARD_CSV } from './schema.ts';

/** Reads a file for the preview. It creates nothing: the console sends the bodies to the merchant API. */
export function cardCsvRoutes(app: App): void {
  app.post(
    '/card-batches/read/',
    {
      config: { role: 'manager', bodyBounds: BATCH_BOUNDS } satisfies Access & BodyConfig,
      schema: {
        operationId: 'consoleReadCardCsv',
        summary: 'Read a CSV file of cards, and check each row',
        body: CardCsvBody,
        response: {
          200: success(CardCsv, 'The rows as create bodies', EXAMPLE_CARD_CSV),
          ...badRequest([400, 'csv: the column kyc.bod is not a field of a card; did you mean kyc.dob?']),
          ...refusal(413, 'The body is over 2 MiB', `body: must be at most ${BATCH_BOUNDS.bytes} bytes`),
        },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { columns, rows } = readCardCsv(request.body.lines.join('\n'));
      if (rows.length > MOST_ROWS)
        throw invalid('csv', `must have at most ${MOST_ROWS} rows; split the file`);
      return {
        columns,
        rows: rows.map((row) => {
          const error = errorOfRow(actor, row.card);
          return { ...row, error: error ? { field: fieldOf(error), message: error.message } : null };
        }),
      };
    },
  );
}
