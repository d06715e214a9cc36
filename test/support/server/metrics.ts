import type { Gauge, Metrics } from '../../../src/kernel/metric.ts';
import type { TestApp } from './test-app.ts';

/** Keeps what a feature counts. */
export function memoryMetrics() {
  const seen: Array<[name: string, labels: unknown, seconds?: number]> = [];
  const gauges = new Map<string, (set: (labels: object, value: number) => void) => void>();
  const metrics: Metrics = {
    count: ({ name }, labels) => void seen.push([name, labels]),
    observe: ({ name }, labels, seconds) => void seen.push([name, labels, seconds]),
    gauge: ({ name }, read) => void gauges.set(name, read as never),
  };
  const read = ({ name }: Gauge): number | undefined => {
    let found: number | undefined;
    gauges.get(name)?.((_labels, value) => {
      found = value;
    });
    return found;
  };
  return { metrics, seen, read };
}

type Measured = Pick<TestApp, 'metrics'>;

/** What Prometheus would read of one metric by now: `{labels}` and its value. */
export async function readMetrics({ metrics }: Measured, name: string): Promise<Record<string, number>> {
  const text = await metrics.text();
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(
    lines.map((line) => [line.slice(name.length, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

/** Those that are not 0. */
export const counted = async (app: Measured, name: string): Promise<Record<string, number>> =>
  Object.fromEntries(Object.entries(await readMetrics(app, name)).filter(([, value]) => value > 0));
