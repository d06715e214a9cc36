import { pino } from 'pino';
import { createApp } from '../src/app.ts';
import { NO_LIMITS } from '../src/http/limits.ts';
import { createMetrics } from '../src/http/metrics.ts';
import { METRICS } from '../src/runtime.ts';
import { VERSION } from '../src/version.ts';

type Json = Record<string, unknown>;

export interface Schema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string;
  const?: string | number | boolean;
  enum?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security?: Array<Record<string, unknown>>;
  parameters?: Array<{
    in: 'path' | 'query' | 'header';
    name: string;
    required: boolean;
    description?: string;
    schema: Schema;
  }>;
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export interface OpenApiDocument extends Json {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema> };
}

/**
 * The documents of this version, as a server with default settings serves them. This calls no route, so it needs no
 * database.
 */
export async function createDocuments(): Promise<{ api: OpenApiDocument; console: OpenApiDocument }> {
  const none = {} as never;
  const app = await createApp({
    db: none,
    vault: none,
    submit: none,
    sender: none,
    decisions: none,
    kycProviders: none,
    reports: none,
    clearing: none,
    notifications: none,
    metrics: createMetrics(METRICS),
    logger: pino({ level: 'silent' }),
    publicUrl: 'http://127.0.0.1:8080',
    revealUrl: 'http://127.0.0.1:8080',
    version: VERSION,
    sandboxPrograms: true,
    limits: NO_LIMITS,
    metricsAccess: 'anybody',
    mostMistakes: 0,
    readsAtOnce: 0,
    secondFactorRule: 'live-managers',
  });
  await app.ready();
  const documents = structuredClone({ api: app.swagger(), console: app.consoleDocument() });
  await app.close();
  return documents as never;
}
