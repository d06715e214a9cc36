import { Type } from 'typebox';
import { readLink } from '../files/link.ts';
import { errorResponses, refusal } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import { AnyQuery } from '../http/validation.ts';
import type { Digest } from '../kernel/digest.ts';
import { EmbossError } from '../kernel/error.ts';
import { requestIdentity } from '../programs/actor.ts';
import { type DownloadServices, deliverReport } from './deliver-report.ts';

/** One message for every reason, so that the response reveals nothing about the link. */
const DEAD_LINK = 'This link has expired or was altered; request a new one';
const NO_SUCH_RANGE = 'range: must be within the file';

const csv = (description: string) => ({
  description,
  content: { 'text/csv': { schema: Type.String() } },
});

const schema = {
  tags: ['Reports'],
  security: [],
  operationId: 'downloadReport',
  summary: 'Download a report',
  description:
    'The link from a `files` event, used unchanged. It requires no key and expires after 5 minutes. A request may contain one byte range; complete files are compressed for clients that accept gzip.',
  params: Type.Object({ reportId: Type.String(), fileName: Type.String() }),
  querystring: Type.Object(
    { expires: Type.String({ description: 'Unix seconds.' }), signature: Type.String() },
    { additionalProperties: true },
  ),
  response: {
    200: csv('The report'),
    206: csv('A part of the report'),
    ...refusal(403, 'The link has expired or was altered', DEAD_LINK),
    ...refusal(416, 'The range is outside the file', NO_SUCH_RANGE),
    ...errorResponses(404, 500, 503),
  },
};

/** Report downloads require no key: the signed link grants access. */
export function downloadRoutes(app: App, services: DownloadServices & { digest: Digest }): void {
  for (const method of ['GET', 'HEAD'] as const)
    app.route({
      method,
      url: '/files/:reportId/:fileName',
      // Fastify's automatic HEAD route would read the whole file.
      exposeHeadRoute: false,
      schema: method === 'GET' ? schema : ({ hide: true, querystring: AnyQuery } as never),
      // The handler checks the link as a whole. Validation of its parts would answer before that check.
      validatorCompiler: () => () => true,
      handler: async (request, reply) => {
        await services.digest.refresh();
        const link = readLink(services.digest, request.raw.url ?? '', Date.now());
        if (!link) throw new EmbossError(403, DEAD_LINK);
        const wanted = {
          method,
          range: request.headers.range,
          ifRange: request.headers['if-range'] as string | undefined,
          acceptEncoding: request.headers['accept-encoding'] as string | undefined,
        };
        const by = requestIdentity('link', request);
        const { status, headers, content } = await deliverReport(services, link.id, wanted, by);
        reply.headers(headers);
        if (status === 416) throw new EmbossError(416, NO_SUCH_RANGE);
        return reply.code(status).send(content);
      },
    });
}
