import { badRequest, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import type { Access } from '../programs/access.ts';
import { actorOf } from '../programs/actor.ts';
import { type RequestServices, readRequest } from './read-request.ts';
import { requestReport } from './request-report.ts';
import { FileAnswer, FilePath, FileQuery, RequestAnswer, RequestPath } from './schema.ts';

const EXAMPLE_ID = '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f';

/** Settlement reports: requesting one, and reading the state of a request. */
export function reportRoutes(app: App, services: RequestServices): void {
  const tags = ['Reports'];

  app.get(
    '/files/:fileType/',
    {
      // This GET starts work, so in the console it requires an administrator.
      config: {
        scope: 'read',
        role: 'support',
        inTurn: true,
        audit: { action: 'console.requestFile', fields: ['fileType', 'date'] },
      } satisfies Access & { inTurn: true },
      schema: {
        tags,
        operationId: 'requestFile',
        summary: 'Request settlement file',
        description:
          'Starts a CSV report. When it is ready, a `files` event delivers its download link; without a webhook endpoint, get the state of the request instead. A program can have at most 100 pending reports; further requests return 429.',
        params: FilePath,
        querystring: FileQuery,
        response: {
          200: success(FileAnswer, 'The request was accepted', {
            message: 'The report is being generated; a webhook event delivers its link',
            reference_id: EXAMPLE_ID,
          }),
          ...badRequest(
            [400, 'date: must be at least two days before today'],
            [400, 'date: must not be before the program was created (2026-10-01)'],
            [400, `fileType: must be one of ${FilePath.properties.fileType.enum.join(', ')}`],
          ),
          404: undefined,
        },
      },
    },
    async (request) => {
      const { fileType } = request.params;
      return requestReport(services, actorOf(request), fileType, request.query.date);
    },
  );

  app.get(
    '/files/requests/:reference_id/',
    {
      // The response contains a link that works without a key.
      config: {
        scope: 'read',
        role: 'viewer',
        inTurn: true,
        audit: { action: 'console.getFileRequest', fields: ['reference_id'] },
      } satisfies Access & { inTurn: true },
      schema: {
        tags,
        operationId: 'getFileRequest',
        summary: 'Get the state of a file request',
        description:
          'Returns a new download link once the file is ready. A file that was deleted after its retention period is generated again; the state is `pending` until then.',
        params: RequestPath,
        response: {
          200: success(RequestAnswer, 'The state of the request', {
            reference_id: EXAMPLE_ID,
            status: 'ready',
            link: 'https://emboss.example.com/files/019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f/emboss-daily-2026-11-01.csv?expires=1794787500&signature=…',
            expireAt: 1_794_787_500,
          }),
        },
      },
    },
    async (request) => {
      const { program } = actorOf(request);
      return readRequest(services, program.id, request.params.reference_id);
    },
  );
}
