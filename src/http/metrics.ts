import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import { LIMIT_KINDS, type LimitKind } from './limits.ts';
import { createRequestTimes, createTimes } from './request-times.ts';

/** The only module that imports prom-client. Labels are route patterns, never paths: ids would create unbounded series. */
export interface Metrics {
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  /** `approved`, or the decline reason. */
  countAuthorization(outcome: string): void;
  /** The outcome of a question to a merchant, and how long it took; undefined if nothing was sent. */
  observeDecision(kind: string, outcome: string, durationMs: number | undefined): void;
  observeStandIns(read: () => number): void;
  /** `authenticated`, or the reason why not. */
  countAuthentication(outcome: string): void;
  /** `delivered`, `failed` or `gone`. */
  countWebhookAttempt(outcome: string): void;
  /** `made` or `failed`. */
  countReport(outcome: string): void;
  /** `signed_in`, `refused` or `locked_out`. */
  countSignIn(outcome: string): void;
  /** Requests answered 429, by limit. */
  countLimited(kind: LimitKind): void;
  /** `missing`, `unknown`, `revoked`, `expired`, `altered` or `limited`. */
  countRefusedKey(reason: string): void;
  /** Keys that can reveal card numbers and were created in the console. */
  countCredentialsKey(): void;
  /** Delayed answers, by decline reason. */
  countSlowed(reason: string): void;
  observePool(read: () => { total: number; idle: number; waiting: number }): void;
  text(): Promise<string>;
  readonly contentType: string;
  /** The values as they are passed to another process, to be summed there. */
  values(): Promise<MetricValues>;
}

export type MetricValues = Array<MetricObjectWithValues<MetricValue<string>>>;

/** Of several processes the newest start and the latest event loop count; a sum or an average would hide them. */
const LARGEST = /^process_start_time_seconds$|^nodejs_eventloop_lag_(?!min_)/;

/**
 * `authorizationOutcomes`, `guesses`, `decisionOutcomes` and `authenticationOutcomes`: all possible values. A counter that does not exist from the
 * start hides its first increase.
 */
export function createMetrics(
  authorizationOutcomes: readonly string[],
  guesses: readonly string[] = [],
  decisionOutcomes: Readonly<Record<string, readonly string[]>> = {},
  authenticationOutcomes: readonly string[] = [],
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of registry.getMetricsAsArray()) if (LARGEST.test(metric.name)) metric.aggregator = 'max';
  const requests = createRequestTimes(
    'emboss_http_request_duration_seconds',
    'Time from the first byte of a request to the last byte of its response.',
  );
  registry.registerMetric(requests.metric as never);
  const decisions = createTimes(
    'emboss_decision_duration_seconds',
    'Time until a merchant answered a decision request, or until its time limit.',
  );
  registry.registerMetric(decisions.metric as never);
  const decisionKinds = Object.entries(decisionOutcomes);
  const decisionTimes = new Map(decisionKinds.map(([kind]) => [kind, decisions.addSeries({ kind })]));
  const credentialsKeys = new Counter({
    name: 'emboss_credentials_keys_created_total',
    help: 'API keys created in the console that can reveal card numbers.',
    registers: [registry],
  });
  /** The values of several labels are joined by a space, which none of them contains. */
  const countBy =
    (...labels: string[]) =>
    (name: string, help: string, all: readonly string[]) => {
      const counts = new Map(all.map((values) => [values, 0]));
      new Counter({
        name,
        help,
        labelNames: labels,
        registers: [registry],
        collect() {
          this.reset();
          for (const [joined, count] of counts) {
            const values = joined.split(' ');
            this.inc(Object.fromEntries(labels.map((label, place) => [label, values[place] ?? ''])), count);
          }
        },
      });
      return (...values: string[]) => {
        const joined = values.join(' ');
        counts.set(joined, (counts.get(joined) ?? 0) + 1);
      };
    };
  const outcomes = countBy('outcome');
  const countDecision = countBy('kind', 'outcome')(
    'emboss_decisions_total',
    'Requests to decision endpoints, by kind and outcome: approved, declined, challenged, sent, timeout, unreachable, invalid or paused.',
    decisionKinds.flatMap(([kind, all]) => all.map((outcome) => `${kind} ${outcome}`)),
  );
  return {
    countAuthorization: outcomes(
      'emboss_authorizations_total',
      'Authorizations decided, by outcome: approved, or the decline reason.',
      authorizationOutcomes,
    ),
    countAuthentication: outcomes(
      'emboss_authentications_total',
      'Authentications that ended, of known cards, by outcome: authenticated, or the reason.',
      authenticationOutcomes,
    ),
    observeDecision: (kind, outcome, durationMs) => {
      countDecision(kind, outcome);
      if (durationMs !== undefined) decisionTimes.get(kind)?.(durationMs / 1000);
    },
    observeStandIns: (read) => {
      new Gauge({
        name: 'emboss_decision_stand_ins',
        help: 'Programs whose decision endpoint keeps failing, so that this process does not ask it.',
        registers: [registry],
        // Several processes see the same programs.
        aggregator: 'max',
        collect() {
          this.set(read());
        },
      });
    },
    countWebhookAttempt: outcomes(
      'emboss_webhook_attempts_total',
      'Attempts to deliver an event, by outcome: delivered, failed or gone.',
      ['delivered', 'failed', 'gone'],
    ),
    countReport: outcomes(
      'emboss_reports_total',
      'Attempts to generate a report, by outcome: made or failed.',
      ['made', 'failed'],
    ),
    countSignIn: outcomes(
      'emboss_sign_ins_total',
      'Attempts to sign in to the console, by outcome: signed_in, refused or locked_out.',
      ['signed_in', 'refused', 'locked_out'],
    ),
    countLimited: countBy('kind')(
      'emboss_rate_limited_total',
      'Requests rejected with 429, by limit.',
      LIMIT_KINDS,
    ),
    countRefusedKey: countBy('reason')(
      'emboss_refused_keys_total',
      'API keys rejected: missing, unknown, revoked, expired, altered in the database, or limited after too many.',
      ['missing', 'unknown', 'revoked', 'expired', 'altered', 'limited'],
    ),
    countCredentialsKey: () => credentialsKeys.inc(),
    countSlowed: countBy('outcome')(
      'emboss_slowed_authorizations_total',
      'Declines delayed because card data is being guessed, at one merchant or on one card, by reason.',
      guesses,
    ),
    observeRequest: requests.observe,
    observePool: (read) => {
      new Gauge({
        name: 'emboss_database_connections',
        help: 'Connections of the database pool, and requests that wait for one.',
        labelNames: ['state'],
        registers: [registry],
        collect() {
          for (const [state, value] of Object.entries(read())) this.set({ state }, value);
        },
      });
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
    values: () => registry.getMetricsAsJSON(),
  };
}

/** Each metric once, over all processes. */
export const sumMetrics = (processes: readonly MetricValues[]): Promise<string> =>
  AggregatorRegistry.aggregate([...processes]).metrics();

/** The counts of processes that have ended. Without them a sum would fall, and Prometheus would take that for a restart. */
export const sumCounts = async (processes: readonly MetricValues[]): Promise<MetricValues> => {
  const counts = processes.map((values) =>
    values.filter(({ type }) => ['counter', 'histogram'].includes(String(type))),
  );
  return AggregatorRegistry.aggregate(counts).getMetricsAsJSON();
};
