import { Type } from 'typebox';
import type { BodyConfig } from '../http/body.ts';
import { badRequest, refusal, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import { streamedBody } from '../http/streamed-body.ts';
import { holdsNumberOf } from '../kernel/card-numbers.ts';
import { EmbossError, invalid, notFound } from '../kernel/error.ts';
import { actorOf } from '../programs/actor.ts';
import { FILE_FORMATS, MOST_BYTES, MOST_UPLOADS, presentFile } from './clearing-file.ts';
import { findFile } from './queries.ts';
import { type ReceiveServices, receiveFile } from './receive-file.ts';
import { ClearingFile, EXAMPLE_COMPLETED, EXAMPLE_FILE, FilePath, FileQuery, isFileId } from './schema.ts';

const TYPES = Object.keys(FILE_FORMATS) as Array<keyof typeof FILE_FORMATS>;
const RETRY_AFTER_SECONDS = 10;

/** With a network key that has the scope `clearing`. */
export function clearingFileRoutes(app: App, services: ReceiveServices): void {
  const uploads = new Map<string, number>();

  /** An upload holds a connection for minutes, so each program has few. */
  async function takeUpload<Result>(programId: string, work: () => Promise<Result>): Promise<Result> {
    const open = uploads.get(programId) ?? 0;
    if (open >= MOST_UPLOADS) throw tooManyUploads();
    uploads.set(programId, open + 1);
    try {
      return await work();
    } finally {
      const left = (uploads.get(programId) ?? 1) - 1;
      if (left > 0) uploads.set(programId, left);
      else uploads.delete(programId);
    }
  }

  app.post(
    '/clearing-files/',
    {
      config: { bodyBounds: { bytes: MOST_BYTES, values: 0 }, streamed: TYPES } satisfies BodyConfig,
      schema: {
        operationId: 'sendClearingFile',
        summary: 'Send a clearing file',
        description:
          'The body is the file, at most 1 GiB and 5 million records, as `application/x-ndjson` or `text/csv`. It is stored sealed, checked as a whole, and then booked in the background. The same file under one `file_id` returns the first file; a different file is a 409. A program can have 20 files in progress and 2 uploads at once; more return 429.',
        querystring: FileQuery,
        body: {
          content: Object.fromEntries(
            TYPES.map((type) => [type, { schema: Type.Unsafe({ description: 'The file.' }) }]),
          ),
        },
        response: {
          202: success(ClearingFile, 'The file is stored', EXAMPLE_FILE),
          ...badRequest([400, 'settlement_date: must be a valid date, as YYYY-MM-DD']),
          ...refusal(
            409,
            'The `file_id` was already used with a different file',
            'file_id: was already used with a different file',
          ),
          ...refusal(413, 'The file is over 1 GiB', `body: must be at most ${MOST_BYTES} bytes`),
        },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const { file_id: fileId, settlement_date: settlementDate, last } = request.query;
      if (holdsNumberOf(actor.program.bin, fileId))
        throw invalid('file_id', 'must not contain a card number');
      const type = TYPES.find((known) => known === request.headers['content-type']);
      if (!type) throw invalid('content-type', `must be ${TYPES.join(' or ')}`);
      const given = { fileId, settlementDate, isLast: last === 'true', format: FILE_FORMATS[type] };
      const file = await takeUpload(actor.program.id, () =>
        receiveFile(services, actor, given, streamedBody(request)),
      );
      return reply.code(202).send(file);
    },
  );

  app.get(
    '/clearing-files/:file_id/',
    {
      schema: {
        operationId: 'retrieveClearingFile',
        summary: 'Get the progress of a clearing file',
        params: FilePath,
        response: { 200: success(ClearingFile, 'The file', EXAMPLE_COMPLETED) },
      },
    },
    async (request) => {
      const { program } = actorOf(request);
      const { file_id: fileId } = request.params;
      const file = isFileId(fileId) ? await findFile(services.db, program.id, fileId) : undefined;
      if (!file) throw notFound();
      return presentFile(file, program.currency);
    },
  );
}

const tooManyUploads = (): EmbossError =>
  new EmbossError(429, `A program can send at most ${MOST_UPLOADS} clearing files at once; retry`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
