import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createMetrics } from '../../src/http/metrics.ts';
import { documentRoutes } from '../../src/http/openapi.ts';
import { type App, createServer } from '../../src/http/server.ts';
import { operationQueryRoutes } from '../../src/operations/query-routes.ts';
import { createAuthenticator, requireScope } from '../../src/programs/authenticate.ts';
import type { Scope } from '../../src/programs/program.ts';
import { openApiCheck } from './openapi-check.ts';
import type { Answer, TestApp } from './test-app.ts';

export interface TestConsole {
  /** Asks one of the console's queries of the app's program (or of the one whose key is given) over real HTTP. */
  ask(path: string, key?: string): Promise<Answer>;
  close(): Promise<void>;
}

/** The console's queries behind a merchant key: who may ask is another matter than what is answered. */
export async function startTestConsole(
  app: TestApp,
  operatorNames: (ids: readonly string[]) => Promise<Map<string, string>> = async () => new Map(),
): Promise<TestConsole> {
  const server = await createServer(pino({ level: 'silent' }), createMetrics());
  await documentRoutes(server, { version: 'test', publicUrl: 'http://emboss.test' });
  const authenticate = createAuthenticator(app.db, app.vault.digest, 'merchant', () => {});
  server.decorateRequest('caller', null);
  await server.register(
    async (scope: App) => {
      scope.addHook('onRequest', async (request) => {
        const caller = await authenticate(request.headers['x-payments-api-key']);
        requireScope(caller, (request.routeOptions.config as { scope?: Scope }).scope as Scope);
        request.setDecorator('caller', caller);
      });
      operationQueryRoutes(scope, { db: app.db, vault: app.vault, operatorNames });
    },
    { prefix: '/console/api/programs/:programId' },
  );
  await server.listen({ host: '127.0.0.1', port: 0 });
  const base = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const check = openApiCheck(server.swagger());
  return {
    ask: async (path, key = app.key) => {
      const url = `/console/api/programs/${app.program.id}/${path}`;
      const response = await fetch(base + url, { headers: { 'x-payments-api-key': key } });
      const answer = { status: response.status, body: await response.json(), headers: response.headers };
      check('GET', url, answer.status, answer.body);
      return answer;
    },
    close: () => server.close(),
  };
}
