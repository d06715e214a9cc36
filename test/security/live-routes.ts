import { consoleOperationsOf, type Operation, operationsOf } from '../support/openapi/document.ts';
import type { TestApp } from '../support/server/test-app.ts';

export type Api = 'merchant' | 'network' | 'console';

/** A route of the live table: what the server answers to, documented or not. */
export interface LiveRoute extends Omit<Operation, 'needsBody'> {
  api: Api | undefined;
}

/** A new route without a key needs a row here. */
const OPEN = [
  ...[
    '/health/live',
    '/health/ready',
    '/metrics',
    '/openapi.json',
    '/docs',
    '/console',
    '/console/*',
    '/files/:reportId/:fileName',
    '/reveal/:id',
    '/reveal/inter.woff2',
    ...['', '/state', '/attempts', '/resend', '/cancel'].map((what) => `/challenge/:id${what}`),
  ],
  // The reference page brings its own files.
  /^\/docs\//,
];

const APIS: Array<[prefix: string, api: Api]> = [
  ['/api/v1/merchant/', 'merchant'],
  ['/api/v1/sandbox/', 'merchant'],
  ['/api/v1/network/', 'network'],
  ['/console/api/', 'console'],
];

/** Every route with the body that the document shows for it. */
export function liveRoutes(app: TestApp): LiveRoute[] {
  const documented = [...operationsOf(app), ...consoleOperationsOf(app)];
  const nameOf = (method: string, template: string) => `${method} ${template.replace(/\/$/, '')}`;
  const known = new Map(
    documented.map((operation) => [nameOf(operation.method, operation.template), operation]),
  );
  return app.routes.map((route) => {
    const [method = '', path = ''] = route.split(' ');
    const template = path.replace(/:(\w+)/g, '{$1}');
    const [, api] = APIS.find(([prefix]) => path.startsWith(prefix)) ?? [];
    const { body, file, query = [] } = known.get(nameOf(method, template)) ?? {};
    return { method, template, api, keyHeader: undefined, body, file, query };
  });
}

export const isOpen = ({ template }: LiveRoute): boolean => {
  const path = template.replace(/\{(\w+)\}/g, ':$1').replace(/(?<=.)\/$/, '');
  return OPEN.some((open) => (typeof open === 'string' ? open === path : open.test(path)));
};
