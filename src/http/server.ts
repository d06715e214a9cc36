import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
  type RawServerDefault,
} from 'fastify';
import findMyWay from 'find-my-way';
import type { Logger } from 'pino';
import { EmbossError } from '../kernel/error.ts';
import type { Histogram, Metrics } from '../kernel/metric.ts';
import { acceptJsonOnly, READ_LIMIT_BYTES } from './body.ts';
import { sourceAddress } from './client-address.ts';
import { createRefusal, limitConnections, trackOpenRequests } from './connections.ts';
import { sendError, TOO_OFTEN_DELAY_MS } from './errors.ts';
import { routeOf } from './route-of.ts';
import { compilers } from './schema-compilers.ts';
import { describeViolation, readQueries } from './validation.ts';

/** Fastify with types from TypeBox schemas; `routes.ts` files receive it. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

const ROUTER = { ignoreTrailingSlash: true, maxParamLength: 16_384 };

/** The same for every response, so one object serves all. Pages set a content policy of their own. */
const SECURITY_HEADERS = Object.freeze({
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
});

/** How long a client may take before the server closes its connection. */
const PATIENCE = {
  /** No bytes move in either direction; also ends a download that the client does not read. */
  connectionTimeout: 60_000,
  /** From the first byte of a request to its last. */
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  /** Between two requests. */
  keepAliveTimeout: 72_000,
  /** How often Node checks these timeouts. Its default of 30 s would double them. */
  connectionsCheckingInterval: 2_000,
};

/** Counts a request without a key, and throws a 429 beyond the limit. */
export type Admit = (request: FastifyRequest) => void;

export interface ServerSettings {
  /** Addresses of proxies whose `X-Forwarded-For` is trusted. */
  trustProxy?: readonly string[];
  /** Further connections are closed immediately; 0 means no limit. */
  maxConnections?: number;
  patience?: Partial<typeof PATIENCE>;
}

export async function createServer(
  logger: Logger,
  metrics: Metrics,
  { trustProxy = [], maxConnections = 0, patience }: ServerSettings = {},
  admit: Admit = () => {},
): Promise<App> {
  const { connectionTimeout, requestTimeout, keepAliveTimeout, ...limits } = { ...PATIENCE, ...patience };
  const answers = { metrics, logger };
  const openRequests = trackOpenRequests((reply: FastifyReply) => recordAnswer(answers, reply, CLIENT_GONE));
  const refuse = createRefusal(openRequests.isAnswering, newRequestId);
  const app = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // Replaced by one line per answer, below.
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger for each request costs more than naming the request in the few lines that are written.
    childLoggerFactory: (parent) => parent,
    genReqId: newRequestId,
    requestIdHeader: false,
    // While stopping, requests on open connections are still served: Fastify's 503 has a different body.
    return503OnClosing: false,
    bodyLimit: READ_LIMIT_BYTES,
    connectionTimeout,
    requestTimeout,
    keepAliveTimeout,
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    // Without this, Node answers a missing Host itself, with a different body.
    http: { ...limits, maxHeaderSize: 16_384, requireHostHeader: false },
    // Long ids reach their route and get the same 404 as unknown ids.
    routerOptions: ROUTER,
    schemaController: { compilersFactory: compilers },
    schemaErrorFormatter: describeViolation,
    frameworkErrors: (error, request, reply) => {
      answerUnreadable(answers, admit, error, reply as never).catch(() => request.raw.destroy());
    },
    clientErrorHandler: refuse,
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as App;
  // An error on a connection ends that connection only, also where Node has removed its own listener.
  app.server.prependListener('connection', (socket) => socket.on('error', () => socket.destroy()));
  limitConnections(app.server, { most: maxConnections, perAddress: trustProxy.length === 0 }, () =>
    logger.warn('too many connections: new ones are closed; see MAX_CONNECTIONS'),
  );
  // Node would close a CONNECT without an answer, and answer an unknown expectation with an empty 417.
  app.server.on('connect', (_request, socket) => refuse({ code: 'CONNECT' }, socket));
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  // The first hook, and synchronous: requests that follow in the same packet are counted with it.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    openRequests.begin(reply as never);
    done(targetFault(request.raw));
  });
  acceptJsonOnly(app as never);
  app.setErrorHandler(sendError);
  readQueries(app as never);
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    // Fastify says so only to requests that arrive later; the server would wait for the next request of this client.
    if (isStopping) reply.header('connection', 'close');
    // A stream that is sent after its connection has closed has no reader: nothing else would close it.
    if (request.raw.socket.destroyed && payload instanceof Readable) payload.destroy();
    done();
  });
  app.addHook('onResponse', (_request, reply, done) => {
    if (openRequests.end(reply as never)) recordAnswer(answers, reply as never, reply.statusCode);
    done();
  });
  return app;
}

/** No hook runs for a path that cannot be decoded: the request is counted, and its answer delayed and logged, here. */
async function answerUnreadable(
  answers: Answers,
  admit: Admit,
  error: Error,
  reply: FastifyReply,
): Promise<void> {
  const { request } = reply;
  reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
  const refused = refusalOf(admit, request);
  await pause(TOO_OFTEN_DELAY_MS);
  await sendError(refused ?? targetFault(request.raw) ?? error, request, reply);
  recordAnswer(answers, reply, reply.statusCode);
}

function refusalOf(admit: Admit, request: FastifyRequest): Error | undefined {
  try {
    admit(request);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** Random: an id with a time or a counter in it would show how busy other programs are. */
const newRequestId = (): string => `req_${randomUUID()}`;

/** Exactly one Host and a path, so that a proxy and this server cannot read the request differently. */
function targetFault({
  httpVersion,
  headers,
  rawHeaders,
  url = '',
}: IncomingMessage): EmbossError | undefined {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts++;
  // A proxy in front of the server may read a request line of another version, or of none, in another way.
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return new EmbossError(400, 'The request line must end with HTTP/1.1 or HTTP/1.0');
  if (httpVersion === '1.1' && !headers.host) return new EmbossError(400, 'host: is required');
  if (hosts > 1) return new EmbossError(400, 'host: must be given once');
  if (/[\s/?#@\\]/.test(headers.host ?? ''))
    return new EmbossError(400, 'host: must be a name or an address');
  if (!url.startsWith('/'))
    return new EmbossError(400, 'The request target must be a path that begins with /');
  return undefined;
}

/**
 * Labels are route patterns, never paths: ids would create unbounded series. A request that anybody can send and the server
 * refuses has no route: else each route would get series from strangers.
 */
export const REQUEST_TIMES: Histogram<{ method: string; route: string; status: number }> = {
  type: 'histogram',
  name: 'emboss_http_request_duration_seconds',
  help: 'Time from the first byte of a request to the last byte of its response.',
  labels: { method: [], route: [], status: [] },
};

const NO_ROUTE = '(none)';
const REFUSALS = new Set([401, 405, 429]);

/** Logged when the client closed the connection before the answer; other servers use the same number. */
const CLIENT_GONE = 499;

interface Answers {
  metrics: Metrics;
  logger: Logger;
}

/** Logs and counts every request once, whether its client waited for the answer or not. */
function recordAnswer({ metrics, logger }: Answers, reply: FastifyReply, status: number): void {
  const { request, elapsedTime } = reply;
  const { method } = request;
  const route = routeOf(request).url ?? NO_ROUTE;
  const { actor } = request as { actor?: { id: string } | null };
  const isRefused = REFUSALS.has(status) || (status === 400 && !actor);
  metrics.observe(REQUEST_TIMES, { method, route: isRefused ? NO_ROUTE : route, status }, elapsedTime / 1000);
  const line = {
    reqId: request.id,
    method,
    route,
    status,
    ms: Math.round(elapsedTime * 10) / 10,
    address: sourceAddress(request.ip),
    actor: actor?.id,
  };
  if (status === CLIENT_GONE) logger.info(line, 'aborted by the client');
  else logger[status >= 500 ? 'warn' : 'info'](line, 'answered');
}

/**
 * Answers unknown paths with 404 and unsupported methods with 405. Call it after all routes are added. A browser that
 * requests `/` is redirected to `home`; to other clients `/` is an unknown path.
 */
export function answerUnknown(app: App, routes: Map<string, Set<string>>, home?: string): void {
  const allowed = new Map(
    [...routes].map(([url, methods]) => [url, METHODS.filter((name) => methods.has(name))]),
  );
  const notAllowed = (reply: FastifyReply, allow: string[]) => {
    reply.header('allow', allow.join(', '));
    return new EmbossError(405, `Method not allowed; use ${allow.join(', ')}`);
  };
  const patterns = [...allowed]
    .filter(([other]) => other.includes(':'))
    .map(([other, methods]) => ({ other, methods, pattern: patternOf(other) }));
  for (const [url, allow] of allowed) {
    // Another route would take these requests: GET …/resend/ is no event with the id "resend".
    const taken = patterns.filter(({ other, pattern }) => other !== url && pattern.test(url));
    const wrong = new Set(taken.flatMap(({ methods }) => methods).filter((name) => !allow.includes(name)));
    if (wrong.size > 0)
      app.route({
        method: [...wrong] as never,
        url,
        schema: { hide: true } as never,
        onRequest: (_request, reply, done) => done(notAllowed(reply, allow)),
        handler: async () => {},
      });
  }
  // Built at the first unknown path: it is not needed to start.
  let paths: ReturnType<typeof findMyWay> | undefined;
  const buildPaths = () => {
    const router = findMyWay(ROUTER);
    for (const [url, allow] of allowed) router.on('GET', url, () => {}, allow);
    return router;
  };
  // Runs before the body is read: the path is wrong whatever the body contains.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const { url = '', method = '', headers } = request.raw;
    if (home && url === '/' && ['GET', 'HEAD'].includes(method) && headers.accept?.includes('text/html'))
      return reply.header('vary', 'accept').redirect(home);
    paths ??= buildPaths();
    const allow = paths.find('GET', url)?.store as string[] | undefined;
    done(allow ? notAllowed(reply, allow) : new EmbossError(404, 'No such path'));
  });
}

const patternOf = (url: string): RegExp => new RegExp(`^${url.replace(/:[^/]+/g, '[^/]+')}$`);

/** Collects the methods of every route for `answerUnknown`. */
export function collectRoutes(app: App): Map<string, Set<string>> {
  const routes = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method, exposeHeadRoute }) => {
    const known = routes.get(url) ?? new Set();
    for (const name of [method].flat()) known.add(name);
    if (known.has('GET') && exposeHeadRoute !== false) known.add('HEAD');
    routes.set(url, known);
  });
  return routes;
}
