/** Upper ends in seconds; a last place counts what is slower. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Series {
  labels: { method: string; route: string; status: number };
  counts: number[];
  sum: number;
}

/**
 * A histogram of all requests for a registry of prom-client. Each request writes into it, and few read it: labels and sums
 * are made when it is read.
 */
export function createRequestTimes(name: string, help: string) {
  const all = new Map<string, Series>();
  const about = { name, help, type: 'histogram', aggregator: 'sum' };
  const valuesOf = ({ labels, counts, sum }: Series) => {
    let count = 0;
    const buckets = counts.map((inBucket, place) => {
      count += inBucket;
      return {
        metricName: `${name}_bucket`,
        labels: { le: BUCKETS[place] ?? '+Inf', ...labels },
        value: count,
      };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  };
  return {
    metric: { ...about, get: async () => ({ ...about, values: [...all.values()].flatMap(valuesOf) }) },
    observe: (method: string, route: string, status: number, seconds: number): void => {
      const key = `${method} ${status} ${route}`;
      let series = all.get(key);
      if (!series) {
        series = { labels: { method, route, status }, counts: Array(BUCKETS.length + 1).fill(0), sum: 0 };
        all.set(key, series);
      }
      let place = 0;
      while (place < BUCKETS.length && seconds > (BUCKETS[place] as number)) place++;
      (series.counts[place] as number)++;
      series.sum += seconds;
    },
  };
}
