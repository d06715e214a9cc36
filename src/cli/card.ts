import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { type CardBatch, MOST_ROWS } from '../cards/batches/batch.ts';
import { type CsvCard, failedCsv, readCardCsv } from '../cards/batches/card-csv.ts';
import { errorOfRow } from '../cards/batches/check-rows.ts';
import { createBatch } from '../cards/batches/create-batch.ts';
import { cardBatches } from '../cards/batches/create-rows.ts';
import { findBatch, listFailedRows } from '../cards/batches/queries.ts';
import type { CreateCardServices } from '../cards/create-card.ts';
import type { CreateCardBody } from '../cards/schema.ts';
import { readConfig } from '../config.ts';
import { EmbossError } from '../kernel/error.ts';
import type { Actor } from '../programs/actor.ts';
import { openServices } from '../runtime.ts';
import { EXIT } from './failure.ts';
import { withProgress } from './progress.ts';
import { PROGRAM, selectActor } from './select.ts';
import type { Session } from './session.ts';
import type { Output } from './terminal.ts';

const LOOK_EVERY_MS = 100;
const MOST_LISTED = 20;

export function cardCommands(emboss: Command, session: Session): void {
  const group = emboss.command('card').description('Cards of a program');
  group
    .command('create-many')
    .description(
      'Create a card for each line of a CSV file, whose first line names the fields: kyc.dob, meta.id, …',
    )
    .argument('<file>', 'CSV file')
    .option('--failed <file>', 'where to write the rows that failed, as CSV (default: <file>.failed.csv)')
    .option(...PROGRAM)
    .action((file: string, { program, failed = `${file}.failed.csv` }) =>
      session.run(async (runtime) => {
        const services = {
          db: runtime.db,
          ...(await openServices(readConfig(session.terminal.env), runtime)),
        };
        const actor = await selectActor(runtime.db, program);
        const { columns, rows } = readCardCsv(await readFile(file, 'utf8'));
        refuseWrong(actor, rows);
        const result = await withProgress(session.terminal, 'Creating cards', (onProgress) =>
          createMany(services, actor, rows, onProgress),
        );
        if (result.failed.length > 0) {
          await writeFile(failed, failedCsv(columns, result.failed), { mode: 0o600 });
          session.exitCode = EXIT.failed;
        }
        return outputOf(rows.length, result, failed);
      }),
    );
}

/** Nothing is created from a file with a row that is wrong in itself. */
function refuseWrong(actor: Actor, rows: readonly CsvCard[]): void {
  const wrong = rows.flatMap(({ line, card }) => {
    const error = errorOfRow(actor, card);
    return error ? [`line ${line}: ${error.message}`] : [];
  });
  if (wrong.length === 0) return;
  const more = wrong.length > MOST_LISTED ? [`and ${wrong.length - MOST_LISTED} more`] : [];
  throw new EmbossError(
    400,
    `${wrong.length} of ${rows.length} rows are wrong; no card was created\n  ${[...wrong.slice(0, MOST_LISTED), ...more].join('\n  ')}`,
  );
}

interface Result {
  batchIds: string[];
  failed: Array<CsvCard & { message: string }>;
}

/** One batch after the other. */
async function createMany(
  services: CreateCardServices,
  actor: Actor,
  rows: readonly CsvCard[],
  onProgress: (share: number) => void,
): Promise<Result> {
  const result: Result = { batchIds: [], failed: [] };
  for (let start = 0; start < rows.length; start += MOST_ROWS) {
    const some = rows.slice(start, start + MOST_ROWS);
    const bodies = some.map(({ card }) => card as unknown as CreateCardBody);
    const { id } = await createBatch(services, actor, bodies, async () => {});
    result.batchIds.push(id);
    await complete(services, actor.program.id, id, (ended) => onProgress((start + ended) / rows.length));
    for (const { rowIndex, error } of await listFailedRows(services.db, actor.program.id, id))
      result.failed.push({ ...(some[rowIndex] as CsvCard), message: error.message });
  }
  return result;
}

/** Does the work of a worker: no server may be running. */
async function complete(
  services: CreateCardServices,
  programId: string,
  batchId: string,
  onEnded: (rows: number) => void,
): Promise<void> {
  const job = cardBatches(services);
  for (;;) {
    const turn = { deadline: performance.now() + LOOK_EVERY_MS, isStopping: () => false };
    for (const due of await job.findDue(programId)) await job.work(due, turn);
    const batch = (await findBatch(services.db, programId, batchId)) as CardBatch;
    onEnded(batch.created + batch.failed);
    if (batch.completedAt) return;
    await pause(LOOK_EVERY_MS);
  }
}

function outputOf(total: number, { batchIds, failed }: Result, failedFile: string): Output {
  const created = total - failed.length;
  const failures = failed.length === 0 ? '' : `\n${failed.length} rows failed: see ${failedFile}`;
  return {
    json: { batchIds, total, created, failed: failed.length, failedFile: failures ? failedFile : null },
    text: `Created ${created} of ${total} cards.${failures}`,
  };
}
