type Value = string | number;

/**
 * A metric as data. Each feature exports its own, beside the code that counts; `runtime.ts` lists all of them, and
 * `http/metrics.ts` builds them.
 */
interface Metric<Type extends string, Labels> {
  type: Type;
  name: `emboss_${string}`;
  help: string;
  /**
   * All values of each label: a counter that does not exist from the start hides its first increase. Without values, a
   * series exists from its first count on.
   */
  labels: { [Name in keyof Labels]: readonly Labels[Name][] };
  /** Which combinations of several labels exist; by default all. */
  exists?(labels: Labels): boolean;
  /** Several processes see the same thing, so their values are not added up. */
  aggregator?: 'max';
}

type None = Record<never, Value>;
export type Counter<Labels = None> = Metric<'counter', Labels>;
/** Of times in seconds. */
export type Histogram<Labels = None> = Metric<'histogram', Labels>;
export type Gauge<Labels = None> = Metric<'gauge', Labels>;
export type AnyMetric = Metric<'counter' | 'histogram' | 'gauge', Record<string, Value>>;

export interface Metrics {
  count<Labels>(metric: Counter<Labels>, labels: NoInfer<Labels>): void;
  observe<Labels>(metric: Histogram<Labels>, labels: NoInfer<Labels>, seconds: number): void;
  /** `read` sets the values of the gauge. It is called when the metrics are read. */
  gauge<Labels>(
    metric: Gauge<Labels>,
    read: (set: (labels: NoInfer<Labels>, value: number) => void) => void,
  ): void;
}

/** For commands, which have no metrics. */
export const NO_METRICS: Metrics = { count: () => {}, observe: () => {}, gauge: () => {} };
