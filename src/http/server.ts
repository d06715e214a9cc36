import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import helmet from '@fastify/helmet';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  fastify,
  LogController,
  type RawServerDefault,
} from 'fastify';
import type { Logger } from 'pino';
import { EmbossError } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import { acceptJsonOnly, BODY_LIMIT_BYTES } from './body.ts';
import { errorBody, sendError } from './errors.ts';
import type { Metrics } from './metrics.ts';
import { ajvOptions, describeViolation, parseQueryNumbers } from './validation.ts';

/** Fastify with types from TypeBox schemas: what `routes.ts` files receive. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export async function createServer(logger: Logger, metrics: Metrics): Promise<App> {
  const app = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // One line per answer, written below, instead of Fastify's two.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => `req_${newId(Date.now())}`,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT_BYTES,
    connectionTimeout: 60_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 15_000, maxHeaderSize: 16_384 },
    // Long ids reach their route and get the same 404 as any unknown id.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16_384 },
    ajv: ajvOptions as never,
    schemaErrorFormatter: describeViolation,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      sendError(error, request as never, reply as never);
    },
    clientErrorHandler,
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as App;
  acceptJsonOnly(app as never);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
  });
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(errorBody(404, 'No such path')));
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('preValidation', async (request) => {
    parseQueryNumbers(request.query as Record<string, unknown>, request.routeOptions.schema?.querystring);
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? '(none)';
    const { statusCode } = reply;
    metrics.observeRequest(request.method, route, statusCode, reply.elapsedTime / 1000);
    const line = {
      method: request.method,
      route,
      status: statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    };
    if (statusCode >= 500) request.log.warn(line, 'answered');
    else request.log.info(line, 'answered');
  });
  return app;
}

/** Gives every known path a 405 for the methods it lacks. Call it after all routes are in place. */
export function answerWrongMethods(app: App, routes: Map<string, Set<string>>): void {
  for (const [url, methods] of routes) {
    const missing = METHODS.filter((method) => !methods.has(method));
    const allow = METHODS.filter((method) => methods.has(method)).join(', ');
    app.route({
      method: missing as never,
      url,
      schema: { hide: true } as never,
      handler: async (_request, reply) => {
        reply.header('allow', allow);
        throw new EmbossError(405, `This path answers to ${allow}`);
      },
    });
  }
}

/** Notes the methods of every route as it is added, for `answerWrongMethods`. */
export function collectRoutes(app: App): Map<string, Set<string>> {
  const routes = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = routes.get(url) ?? new Set();
    for (const name of [method].flat()) known.add(name);
    if (known.has('GET')) known.add('HEAD');
    routes.set(url, known);
  });
  return routes;
}

/** What Node's parser refuses never reaches a route; it gets the same error body all the same. */
function clientErrorHandler(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, text, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large', 'headers: are too large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout', 'The request took too long to arrive']
        : [400, 'Bad Request', 'The request is not valid HTTP'];
  const body = JSON.stringify(errorBody(status as number, message as string));
  const head = `HTTP/1.1 ${status} ${text}\r\ncontent-type: application/json; charset=utf-8\r\nx-request-id: req_${newId(Date.now())}`;
  socket.end(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`);
}
