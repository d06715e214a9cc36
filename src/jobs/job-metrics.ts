import type { Counter, Gauge, Metrics } from '../kernel/metric.ts';

export const JOBS_DUE: Gauge<{ name: string }> = {
  type: 'gauge',
  name: 'emboss_jobs_due',
  help: 'Programs (for webhooks: endpoints) in which a background job has something to do, by job.',
  labels: { name: [] },
  aggregator: 'max',
};

export const JOBS_OLDEST: Gauge<{ name: string }> = {
  type: 'gauge',
  name: 'emboss_jobs_oldest_due_seconds',
  help: 'How long the oldest of it has waited for its turn, or for its success, by job.',
  labels: { name: [] },
  aggregator: 'max',
};

export const JOB_TURNS: Counter<{ name: string; outcome: 'done' | 'failed' }> = {
  type: 'counter',
  name: 'emboss_job_turns_total',
  help: 'Turns of background jobs, one program at a time, by job and outcome: done or failed.',
  labels: { name: [], outcome: ['done', 'failed'] },
};

export interface JobObserver {
  /** How much due work a look found, and how long the oldest of it has been due. */
  onLook(job: string, due: number, oldestMs: number): void;
  onTurn(job: string, outcome: 'done' | 'failed'): void;
}

export function observeJobs(metrics: Metrics): JobObserver {
  const looks = new Map<string, { due: number; oldestMs: number }>();
  metrics.gauge(JOBS_DUE, (set) => {
    for (const [name, { due }] of looks) set({ name }, due);
  });
  metrics.gauge(JOBS_OLDEST, (set) => {
    for (const [name, { oldestMs }] of looks) set({ name }, oldestMs / 1_000);
  });
  return {
    onLook: (name, due, oldestMs) => void looks.set(name, { due, oldestMs }),
    onTurn: (name, outcome) => metrics.count(JOB_TURNS, { name, outcome }),
  };
}
