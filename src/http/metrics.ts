import {
  type Aggregator,
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import type { AnyMetric, Metrics } from '../kernel/metric.ts';

/** The metrics of a process, and how they are read. */
export interface ProcessMetrics extends Metrics {
  text(): Promise<string>;
  readonly contentType: string;
  /** The values as they are passed to another process, to be summed there. */
  values(): Promise<MetricValues>;
}

export type MetricValues = Array<MetricObjectWithValues<MetricValue<string>>>;

type Labels = Record<string, string | number>;

/** The text takes the event loop for milliseconds, so it is built this often at most, however many read it. */
export const BUILT_EVERY_MS = 1_000;

/** In seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Of several processes the newest start and the latest event loop count; a sum or an average would hide them. */
const LARGEST = /^process_start_time_seconds$|^nodejs_eventloop_lag_(?!min_)/;

/** The only module that imports prom-client. */
export function createMetrics(metrics: readonly AnyMetric[]): ProcessMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of registry.getMetricsAsArray()) if (LARGEST.test(metric.name)) metric.aggregator = 'max';
  const gauges = new Map<string, (set: (labels: Labels, value: number) => void) => void>();
  for (const metric of metrics) {
    const { type, name, help, labels, aggregator = 'sum' as Aggregator } = metric;
    const options = { name, help, aggregator, labelNames: Object.keys(labels), registers: [registry] };
    if (type === 'gauge')
      new Gauge({
        ...options,
        collect() {
          gauges.get(name)?.((ofLabels, value) => this.set(ofLabels, value));
        },
      });
    else {
      const built =
        type === 'counter' ? new Counter(options) : new Histogram({ ...options, buckets: BUCKETS });
      for (const series of seriesOf(metric))
        if (built instanceof Counter) built.inc(series, 0);
        else built.zero(series);
    }
  }
  const find = <Built>(name: string) => registry.getSingleMetric(name) as Built;
  return {
    count: ({ name }, labels) => find<Counter>(name).inc(labels as Labels),
    observe: ({ name }, labels, seconds) => find<Histogram>(name).observe(labels as Labels, seconds),
    gauge: ({ name }, read) => void gauges.set(name, read as never),
    text: () => registry.metrics(),
    contentType: registry.contentType,
    values: () => registry.getMetricsAsJSON(),
  };
}

function seriesOf({ labels, exists = () => true }: AnyMetric): Labels[] {
  let all: Labels[] = [{}];
  for (const [label, values] of Object.entries(labels))
    all = all.flatMap((series) => values.map((value) => ({ ...series, [label]: value })));
  return all.filter((series) => exists(series));
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
