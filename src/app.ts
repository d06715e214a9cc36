import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import {
  admitAnonymous,
  type CountAnonymous,
  configureRoutes,
  countAnonymous,
  countRefused,
  limitAnonymous,
  turnsOf,
} from './app-limits.ts';
import { createMakeOrRequest } from './approvals/request-approval.ts';
import { answerRoutes } from './authentications/answer-routes.ts';
import { AUTHENTICATION_EVENTS } from './authentications/event-schema.ts';
import { authenticationRoutes } from './authentications/routes.ts';
import type { Submit } from './authorizations/engine/engine.ts';
import { spendControlsRoutes } from './authorizations/limits/routes.ts';
import { countApprovals } from './authorizations/totals/count-approvals.ts';
import { TRANSACTION_EVENTS, UNMATCHED_EVENTS } from './authorizations/transactions/event-schema.ts';
import { eventIdsOf } from './authorizations/transactions/filter-queries.ts';
import { transactionRoutes } from './authorizations/transactions/routes.ts';
import { type AuditRefusedReveal, createRefusedRevealAudit } from './cards/audit-refused-reveal.ts';
import { BATCH_EVENTS } from './cards/batches/event-schema.ts';
import { batchRoutes } from './cards/batches/routes.ts';
import { knownIds } from './cards/customers/find-known.ts';
import { customerRoutes } from './cards/customers/routes.ts';
import { designRoutes } from './cards/designs/routes.ts';
import { CARD_EVENTS } from './cards/event-schema.ts';
import { revealPageRoutes, sessionOf } from './cards/reveal/page-routes.ts';
import { revealSessionRoutes } from './cards/reveal/routes.ts';
import { cardRoutes, credentialRoutes } from './cards/routes.ts';
import { createSlowGuessing } from './cards/slow-guessing.ts';
import { approvalRoutes } from './console-api/approvals/routes.ts';
import { cardCsvRoutes } from './console-api/card-batches/routes.ts';
import { confirmRequest, type OperatorRequest } from './console-api/confirm-request.ts';
import { confirmationFields, ProgramPath } from './console-api/console-schema.ts';
import { decisionSettingRoutes } from './console-api/decisions/routes.ts';
import { keyRoutes } from './console-api/keys/routes.ts';
import type { NotificationServices } from './console-api/notifications/preferences/routes.ts';
import { invitationRoutes as peopleInvitationRoutes } from './console-api/people/invitation-routes.ts';
import { peopleRoutes } from './console-api/people/routes.ts';
import { programRoutes } from './console-api/program/change-routes.ts';
import { operationQueryRoutes } from './console-api/query-routes.ts';
import { replacementRoutes } from './console-api/replacements/routes.ts';
import { requireOperator } from './console-api/require-operator.ts';
import { revealRoutes } from './console-api/reveal/routes.ts';
import { secondPersonRoutes } from './console-api/second-person/routes.ts';
import { type Database, measurePool } from './db/database.ts';
import { ping } from './db/queries.ts';
import { DECISION_EVENTS, DECISION_REQUESTS, ENDPOINT_EVENTS } from './decisions/event-schema.ts';
import type { DecisionRequester } from './decisions/request-decision.ts';
import { type Confirmation, decisionRoutes } from './decisions/routes.ts';
import type { EventType } from './events/names.ts';
import { type DocumentedEvent, documentEvents } from './events/schema.ts';
import { serveFont } from './http/brand.ts';
import { refuseCardNumbers } from './http/card-numbers.ts';
import { admitDocsPage, serveDocumentation } from './http/docs-page.ts';
import { describeRoutes, documentErrors } from './http/document-scope.ts';
import { serveGuides } from './http/guides/routes.ts';
import { healthRoutes } from './http/health-routes.ts';
import { type AnswerOnce, createIdempotency } from './http/idempotency.ts';
import { createLimits, type LimitSettings, type Limits } from './http/limits.ts';
import type { ProcessMetrics } from './http/metrics.ts';
import { type MetricsAccess, metricsRoute } from './http/metrics-route.ts';
import { documentRoutes } from './http/openapi.ts';
import { type App, answerUnknown, collectRoutes, createServer, type ServerSettings } from './http/server.ts';
import { serveSite } from './http/static-site.ts';
import { AnyQuery } from './http/validation.ts';
import { EmbossError, notFound } from './kernel/error.ts';
import { releasePath } from './kernel/release-path.ts';
import { countInWindows } from './kernel/window-counts.ts';
import type { KycProvider } from './kyc/kyc.ts';
import { networkRoutes } from './network/http/routes.ts';
import { createSessionAuthenticator } from './operators/authenticate-session.ts';
import { invitationRoutes } from './operators/invitation-routes.ts';
import type { OpenIdProvider } from './operators/openid/provider.ts';
import { openIdRoutes } from './operators/openid/routes.ts';
import type { SecondFactorRule } from './operators/operator.ts';
import { ownSessionRoutes } from './operators/own-session-routes.ts';
import { createPasswords, type Passwords } from './operators/password.ts';
import { LOCK_MS } from './operators/prove.ts';
import { sessionRoutes } from './operators/routes.ts';
import { anyDeviceOf } from './operators/seals.ts';
import { secondFactorRoutes } from './operators/second-factor-routes.ts';
import { type SessionCookies, sessionCookies } from './operators/session-cookie.ts';
import { createSignInTurns } from './operators/sign-in-turns.ts';
import type { Sender } from './outbound/send-request.ts';
import { accessOf, requireAccess } from './programs/access.ts';
import { accountRoutes } from './programs/account/routes.ts';
import { type Actor, actorOf } from './programs/actor.ts';
import { type Authenticate, createAuthenticator, requireScope } from './programs/authenticate.ts';
import { ACCOUNT_EVENTS, KEY_EVENTS } from './programs/event-schema.ts';
import type { KycProviderName, Scope } from './programs/program.ts';
import type { MakeOrRequest } from './programs/second-person.ts';
import { downloadRoutes } from './reports/download-routes.ts';
import { FILE_EVENTS } from './reports/event-schema.ts';
import { findStored, type RequestServices } from './reports/read-request.ts';
import { recordDownload } from './reports/record-handout.ts';
import { reportRoutes } from './reports/routes.ts';
import { RULE_EVENTS } from './rules/event-schema.ts';
import { ruleRoutes } from './rules/routes.ts';
import { sandboxAuthenticationRoutes } from './sandbox/authentications/routes.ts';
import { challengeRoutes } from './sandbox/challenge/routes.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import { simulatorRoutes } from './sandbox/simulator-routes.ts';
import { CLEARING_FILE_EVENTS } from './settlement/event-schema.ts';
import type { ReceiveServices } from './settlement/receive-file.ts';
import { clearingFileRoutes } from './settlement/routes.ts';
import type { Vault } from './vault/vault.ts';
import { TEST_EVENT } from './webhooks/event-schema.ts';
import { webhookRoutes } from './webhooks/routes.ts';

const CONSOLE_DIR = releasePath('console/dist');
const DOCS_DIR = releasePath('docs');

const EVENTS: Record<EventType | 'test', DocumentedEvent[]> = {
  card: CARD_EVENTS,
  transaction: TRANSACTION_EVENTS,
  settlement: documentEvents('settlement', { ...UNMATCHED_EVENTS, ...CLEARING_FILE_EVENTS }),
  files: FILE_EVENTS,
  account: ACCOUNT_EVENTS,
  security: documentEvents('security', { ...KEY_EVENTS, ...ENDPOINT_EVENTS }),
  decision: DECISION_EVENTS,
  card_batch: BATCH_EVENTS,
  rule: RULE_EVENTS,
  authentication: AUTHENTICATION_EVENTS,
  test: [TEST_EVENT],
};
/** Size limit of the record of refusals that are already in the audit. */
const MOST_AUDITED = 10_000;

export interface AppServices {
  db: Database;
  vault: Vault;
  submit: Submit;
  sender: Sender;
  decisions: Pick<DecisionRequester, 'requestDecision'>;
  kycProviders: Record<KycProviderName, KycProvider | undefined>;
  reports: Omit<RequestServices, 'db'>;
  clearing: Pick<ReceiveServices, 'storage'>;
  notifications: NotificationServices['notifications'];
  metrics: ProcessMetrics;
  metricsAccess: MetricsAccess;
  logger: Logger;
  publicUrl: string;
  /** The base of the reveal page's address. */
  revealUrl: string;
  version: string;
  /** Off: sandbox programs behave as if they did not exist. */
  sandboxPrograms: boolean;
  limits: LimitSettings;
  /** Wrong numbers, expiries and CVVs per merchant and ten minutes before answers are delayed; 0: never. */
  mostMistakes: number;
  /** Concurrent reads of one program; further reads wait. 0: any number. */
  readsAtOnce: number;
  /** Which operators must have a second factor. */
  secondFactorRule: SecondFactorRule;
  /** Undefined: operators sign in with passwords only. */
  openId?: OpenIdProvider | undefined;
  /** Tests bring cheaper ones. */
  passwords?: Passwords;
  server?: ServerSettings;
  /** Called with every path and its methods after all routes are added, for tests that check every route. */
  onRoutes?: (routes: ReadonlyMap<string, ReadonlySet<string>>) => void;
}

/** Wires all HTTP routes. */
export async function createApp(services: AppServices): Promise<App> {
  const { db, vault, submit, metrics, logger, publicUrl, revealUrl, version } = services;
  const onError = (error: unknown) => logger.error({ err: error }, 'background work of a request failed');
  measurePool(metrics, db);
  const limits = createLimits(services.limits, metrics);
  const cookies = sessionCookies(publicUrl);
  const anonymous = countAnonymous(limits.anonymous_requests, [
    (request) => sessionOf(vault.digest, request),
    (request) => anyDeviceOf(vault.digest, cookies.device.read(request)),
  ]);
  const admit = admitAnonymous(anonymous);
  const app = await createServer(logger, metrics, services.server, admit);
  const routes = collectRoutes(app);
  admitDocsPage(app);
  await documentRoutes(app, {
    version,
    publicUrl,
    events: Object.values(EVENTS).flat(),
    requests: DECISION_REQUESTS,
  });
  const authentication = {
    db,
    digest: vault.digest,
    sandboxPrograms: services.sandboxPrograms,
    wrongKeys: limits.wrong_keys,
    metrics,
    onError,
  };
  const authenticate = createAuthenticator(authentication, 'merchant');
  const authenticateNetwork = createAuthenticator(authentication, 'network');
  const slowGuessing = createSlowGuessing({
    mostMistakes: services.mostMistakes,
    metrics,
    onGuessing: (programId, merchantId) =>
      logger.warn(
        { programId, merchantId },
        'card testing suspected at a merchant: declines there are delayed',
      ),
  });
  app.decorateRequest('actor', null);
  app.decorateRequest('operator', null);
  limitAnonymous(app, admit);
  const readInTurn = turnsOf(app, services.readsAtOnce);

  const { auditRefusedReveal, auditLimitedSession } = createRefusedRevealAudit(db, onError);
  const idempotency = createIdempotency(db, vault);
  const reveals = { db, vault, reveals: limits.key_reveals, programReveals: limits.program_reveals };
  const authentications = {
    db,
    vault,
    requestDecision: services.decisions.requestDecision,
    metrics,
    slowGuessing,
  };
  // What rules need of folders that they must not import.
  const ofRules = {
    keeper: vault,
    countApprovals,
    subjects: knownIds(vault),
  };
  const merchantRoutes = (merchant: App, { confirmation, makeOrRequest }: OfOperators = {}) => {
    cardRoutes(merchant, { ...services, ...idempotency, makeOrRequest, onError });
    batchRoutes(merchant, { ...services, ...idempotency, onError });
    customerRoutes(merchant, { ...services, onError });
    designRoutes(merchant, services);
    transactionRoutes(merchant, { ...services, onError });
    spendControlsRoutes(merchant, services);
    accountRoutes(merchant, services);
    const endpoints = { db, keeper: vault, sender: services.sender, ...idempotency };
    webhookRoutes(merchant, { ...endpoints, publicUrl, eventIdsOf, onError });
    decisionRoutes(merchant, { ...endpoints, metrics, confirmation });
    answerRoutes(merchant, authentications);
    ruleRoutes(merchant, { ...services, ...idempotency, ...ofRules, onError });
    reportRoutes(merchant, { db, ...services.reports });
  };
  const playgroundRoutes = (sandbox: App) => {
    sandboxRoutes(sandbox, { ...services, ...idempotency });
    simulatorRoutes(sandbox, { db, vault, submit, slowGuessing, metrics, ...idempotency });
    sandboxAuthenticationRoutes(sandbox, { ...authentications, ...idempotency, publicUrl });
  };

  await app.register(
    async (merchant: App) => {
      requireMerchantKey(merchant, authenticate, anonymous, limits);
      readInTurn(merchant, 'lists');
      merchantRoutes(merchant);
      credentialRoutes(merchant, { ...reveals, auditRefusedReveal });
      revealSessionRoutes(merchant, { db, vault, revealUrl, ...idempotency, auditRefusedReveal });
    },
    { prefix: '/api/v1/merchant' },
  );
  await app.register(
    async (sandbox: App) => {
      requireMerchantKey(sandbox, authenticate, anonymous, limits, (actor) => {
        if (actor.program.mode !== 'sandbox') throw notFound();
      });
      documentErrors(sandbox, () => [404]);
      describeRoutes(sandbox, { tags: ['Sandbox'] });
      playgroundRoutes(sandbox);
    },
    { prefix: '/api/v1/sandbox' },
  );
  await app.register(
    async (network: App) => {
      requireNetworkKey(network, authenticateNetwork, anonymous, limits, 'authorizations');
      networkRoutes(network, { vault, submit, slowGuessing, metrics });
      authenticationRoutes(network, authentications);
    },
    { prefix: '/api/v1/network' },
  );
  await app.register(
    async (network: App) => {
      requireNetworkKey(network, authenticateNetwork, anonymous, limits, 'clearing');
      const { storage } = services.clearing;
      clearingFileRoutes(network, { db, keeper: vault, digest: vault.history, storage });
    },
    { prefix: '/api/v1/network' },
  );
  await app.register(
    async (site: App) =>
      consoleRoutes(site, services, {
        merchantRoutes,
        playgroundRoutes,
        limits,
        auditRefusedReveal,
        readInTurn,
        answerOnce: idempotency.answerOnce,
        cookies,
        anonymous,
        onError,
      }),
    { prefix: '/console/api' },
  );
  serveSite(app, '/console', CONSOLE_DIR);
  downloadRoutes(app, {
    storage: services.reports.storage,
    digest: vault.digest,
    findStored: (reportId) => findStored(db, reportId),
    recordDownload: (...download) => recordDownload(db, ...download),
  });
  const { sandboxPrograms } = services;
  revealPageRoutes(app, { ...reveals, revealUrl, sandboxPrograms, auditLimitedSession, onError });
  if (services.sandboxPrograms) challengeRoutes(app, authentications);
  healthRoutes(app, async () => void (await db.query(ping)));
  metricsRoute(app, metrics, services.metricsAccess);
  serveFont(app, CONSOLE_DIR);
  serveDocumentation(app);
  serveGuides(app, DOCS_DIR);
  services.onRoutes?.(new Map(routes));
  answerUnknown(app, new Map(routes), '/console/');
  return app;
}

/** The HTTP server of a process without the `api` role: health and metrics only. */
export async function createHealthApp({
  db,
  metrics,
  metricsAccess,
  logger,
  limits,
  server,
}: Pick<AppServices, 'db' | 'metrics' | 'metricsAccess' | 'logger' | 'limits' | 'server'>): Promise<App> {
  measurePool(metrics, db);
  const admit = admitAnonymous(countAnonymous(createLimits(limits, metrics).anonymous_requests));
  const app = await createServer(logger, metrics, server, admit);
  limitAnonymous(app, admit);
  const routes = collectRoutes(app);
  healthRoutes(app, async () => void (await db.query(ping)));
  metricsRoute(app, metrics, metricsAccess);
  answerUnknown(app, new Map(routes));
  return app;
}

/** What routes of the merchant API require of operators, and not of keys. */
interface OfOperators {
  confirmation?: Confirmation;
  makeOrRequest?: MakeOrRequest;
}

/** The console API: routes of its own, and all routes of the merchant and sandbox APIs. */
async function consoleRoutes(
  site: App,
  {
    db,
    vault,
    kycProviders,
    metrics,
    sandboxPrograms,
    secondFactorRule,
    passwords,
    publicUrl,
    sender,
    notifications,
    openId,
  }: AppServices,
  shared: {
    merchantRoutes: (merchant: App, ofOperators: OfOperators) => void;
    playgroundRoutes: (sandbox: App) => void;
    limits: Limits;
    auditRefusedReveal: AuditRefusedReveal;
    readInTurn: ReturnType<typeof turnsOf>;
    answerOnce: AnswerOnce;
    cookies: SessionCookies;
    anonymous: CountAnonymous;
    onError: (error: unknown) => void;
  },
): Promise<void> {
  const {
    onError,
    merchantRoutes,
    playgroundRoutes,
    limits,
    auditRefusedReveal,
    readInTurn,
    answerOnce,
    cookies,
    anonymous,
  } = shared;
  const { digest } = vault;
  describeRoutes(site, { tags: ['Console'] });
  // Only a page of the console may change the operator's own account, or read a program.
  documentErrors(site, ({ url, method }) =>
    url.includes('/:programId/') || method !== 'GET' ? [401, 403] : [401],
  );
  const authenticateSession = createSessionAuthenticator(db, digest, onError);
  const access = {
    countRefused: <Found>(request: object, authentication: Promise<Found>) =>
      countRefused(anonymous, request as FastifyRequest, authentication),
    db,
    sandboxPrograms,
    authenticateSession,
    cookie: cookies.session,
    secondFactorRule,
  };
  const accounts = {
    db,
    sandboxPrograms,
    digest,
    history: vault.history,
    keeper: vault,
    passwords: passwords ?? createPasswords(digest),
    turns: createSignInTurns(),
    audited: countInWindows(LOCK_MS, MOST_AUDITED),
    authenticateSession,
    cookies,
    secondFactorRule,
    metrics,
    wrongPasswords: limits.wrong_passwords,
    provider: openId,
    publicUrl,
    onError,
  };
  for (const add of [sessionRoutes, secondFactorRoutes, ownSessionRoutes, invitationRoutes, openIdRoutes])
    await site.register(async (account: App) => {
      describeRoutes(account, { security: [{ operatorSession: [] }] });
      add(account, accounts);
    });
  const ofProgram = (path: string, add: (app: App) => void, mode?: 'sandbox') =>
    site.register(
      async (program: App) => {
        requireOperator(program, access, mode);
        configureRoutes(program, { isKeyed: true });
        readInTurn(program, 'reads');
        // The document already lists the routes of merchants.
        describeRoutes(program, path === '' ? { params: ProgramPath } : { hide: true });
        add(program);
      },
      { prefix: `/programs/:programId${path}` },
    );
  await ofProgram('', (program) => {
    keyRoutes(program, { db, digest, signIn: accounts, metrics });
    peopleRoutes(program, { signIn: accounts, provider: openId });
    approvalRoutes(program, { signIn: accounts, onError });
    secondPersonRoutes(program, { signIn: accounts });
    programRoutes(program, { signIn: accounts, answerOnce, sandboxPrograms, secondFactorRule });
    peopleInvitationRoutes(program, { signIn: accounts, publicUrl });
    revealRoutes(program, {
      db,
      vault,
      reveals: limits.operator_reveals,
      programReveals: limits.program_reveals,
      auditRefusedReveal,
    });
    operationQueryRoutes(program, { db, vault, sender, notifications });
    decisionSettingRoutes(program, { db, keeper: vault, sender });
    cardCsvRoutes(program);
    replacementRoutes(program, { db, vault, kycProviders, answerOnce });
  });
  const confirmation = {
    fields: confirmationFields('Required.'),
    confirm: (request: OperatorRequest) => confirmRequest(accounts, request),
  };
  const makeOrRequest = createMakeOrRequest(db);
  await ofProgram('/merchant', (program) => merchantRoutes(program, { confirmation, makeOrRequest }));
  await ofProgram('/sandbox', playgroundRoutes, 'sandbox');
  // An unknown path of the console API gets a 404 and not a page of the console app.
  for (const path of ['/', '/*'])
    site.all(path, { schema: { hide: true, querystring: AnyQuery } as never }, async () => {
      throw new EmbossError(404, 'No such path');
    });
}

const binOf = (request: { getDecorator: <T>(name: string) => T }): string => actorOf(request).program.bin;

/** All routes of `app` need the scope. */
function requireNetworkKey(
  app: App,
  authenticate: Authenticate,
  anonymous: CountAnonymous,
  { network_requests: requests }: Limits,
  scope: Scope<'network'>,
): void {
  app.addHook('onRequest', async (request) => {
    const key = request.headers['x-network-key'];
    const actor = await countRefused(anonymous, request, authenticate(key, request));
    request.setDecorator('actor', actor);
    requests.take(actor.id);
    requireScope(actor, scope);
  });
  refuseCardNumbers(app, binOf);
  documentErrors(app, () => [401, 403]);
  describeRoutes(app, { tags: ['Network'], security: [{ networkKey: [] }] });
  configureRoutes(app, { isKeyed: true, keepsInvisible: true });
}

/** Checks key, rate limit and scope before the rest of the request is read. */
function requireMerchantKey(
  app: App,
  authenticate: Authenticate,
  anonymous: CountAnonymous,
  { merchant_requests: requests }: Limits,
  check: (actor: Actor) => void = () => {},
): void {
  requireAccess(app, 'scope');
  app.addHook('onRequest', async (request) => {
    const key = request.headers['x-payments-api-key'];
    const actor = await countRefused(anonymous, request, authenticate(key, request));
    // Before any refusal, so that the log of a refused request names its key.
    request.setDecorator('actor', actor);
    requests.take(actor.id);
    check(actor);
    requireScope(actor, accessOf(request).scope as Scope);
  });
  configureRoutes(app, { isKeyed: true });
  refuseCardNumbers(app, binOf);
  documentErrors(app, () => [401, 403]);
}
