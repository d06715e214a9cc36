import { Type } from 'typebox';
import { errorResponses, success } from './schemas.ts';
import type { App } from './server.ts';
import { AnyQuery } from './validation.ts';

const Healthy = Type.Object({ status: Type.Literal('ok') }, { title: 'Health' });

/** Needs no key. `checkReady` throws a 503 while the database is unavailable. */
export function healthRoutes(app: App, checkReady: () => Promise<void>): void {
  const tags = ['Operations'];
  const config = { countedAs: 'probe' };
  app.get(
    '/health/live',
    {
      config,
      schema: {
        tags,
        security: [],
        querystring: AnyQuery,
        operationId: 'checkLive',
        summary: 'Liveness: the process is running',
        response: { 200: success(Healthy, 'OK', { status: 'ok' }) },
      },
    },
    async () => ({
      status: 'ok' as const,
    }),
  );
  app.get(
    '/health/ready',
    {
      config,
      schema: {
        tags,
        security: [],
        querystring: AnyQuery,
        operationId: 'checkReady',
        summary: 'Readiness: the server can handle requests',
        response: { 200: success(Healthy, 'OK', { status: 'ok' }), ...errorResponses(503) },
      },
    },
    async () => {
      await checkReady();
      return { status: 'ok' as const };
    },
  );
}
