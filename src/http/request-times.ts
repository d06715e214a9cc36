/** Upper ends in seconds; a last place counts what is slower. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Labels = Record<string, string | number>;
type Observe = (seconds: number) => void;

interface Series {
  labels: Labels;
  counts: number[];
  sum: number;
}

/**
 * A histogram of times for a registry of prom-client. Many write into it, and few read it: labels and sums are made when
 * it is read.
 */
export function createTimes(name: string, help: string) {
  const all: Series[] = [];
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
    metric: { ...about, get: async () => ({ ...about, values: all.flatMap(valuesOf) }) },
    /** A series with labels of its own. */
    addSeries: (labels: Labels): Observe => {
      const series: Series = { labels, counts: Array(BUCKETS.length + 1).fill(0), sum: 0 };
      all.push(series);
      return (seconds) => {
        let place = 0;
        while (place < BUCKETS.length && seconds > (BUCKETS[place] as number)) place++;
        (series.counts[place] as number)++;
        series.sum += seconds;
      };
    },
  };
}

/** The times of all requests, by method, route and status. */
export function createRequestTimes(name: string, help: string) {
  const { metric, addSeries } = createTimes(name, help);
  // Nested: a key that is put together would be hashed anew for each request.
  const all = new Map<string, Map<number, Map<string, Observe>>>();
  return {
    metric,
    observe: (method: string, route: string, status: number, seconds: number): void => {
      const ofStatus = mapAt(mapAt(all, route), status);
      let observe = ofStatus.get(method);
      if (!observe) {
        observe = addSeries({ method, route, status });
        ofStatus.set(method, observe);
      }
      observe(seconds);
    },
  };
}

function mapAt<Key, Inner, Value>(outer: Map<Key, Map<Inner, Value>>, key: Key): Map<Inner, Value> {
  let inner = outer.get(key);
  if (!inner) {
    inner = new Map();
    outer.set(key, inner);
  }
  return inner;
}
