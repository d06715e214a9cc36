import { isDeepStrictEqual } from 'node:util';
import type { Database, Tx } from '../db/database.ts';
import type { Due, Job } from '../jobs/job.ts';
import { newId } from '../kernel/ids.ts';
import { findConditions, type GivenFinders } from './find-conditions.ts';
import type { Condition, Notification } from './notification.ts';
import { planDeliveries } from './plan-deliveries.ts';
import { closeNotification, insertNotification, listOpen, reopen, updateDetails } from './queries.ts';

const LOOK_EVERY_MS = 60_000;
/** An endpoint that fails every few minutes is one notification, and not one for each failure. */
const SAME_WITHIN_MS = 30 * 60_000;

export interface NotificationServices {
  db: Database;
  finders: GivenFinders;
}

/** Opens a notification for each new condition and closes it when the condition is over. */
export const notificationUpdates = ({ db, finders }: NotificationServices): Job => ({
  name: 'notifications',
  everyMs: LOOK_EVERY_MS,
  atOnce: 1,
  findDue: async (programId) => {
    const [conditions, open] = await Promise.all([
      findConditions(db, finders, programId),
      listOpen(db, programId),
    ]);
    return programsOf(changesOf(conditions, open));
  },
  work: ({ programId }) =>
    db.transaction(async (tx) => {
      const [conditions, open] = await Promise.all([
        findConditions(tx, finders, programId),
        listOpen(tx, programId),
      ]);
      await apply(tx, changesOf(conditions, open));
    }),
});

interface Changes {
  begun: Condition[];
  changed: Array<Notification & { now: Condition['details'] }>;
  over: Notification[];
}

const keyOf = ({ programId, kind, subject }: Condition): string => `${programId} ${kind} ${subject}`;

function changesOf(conditions: readonly Condition[], open: readonly Notification[]): Changes {
  const now = new Map(conditions.map((condition) => [keyOf(condition), condition]));
  const before = new Set(open.map(keyOf));
  return {
    begun: conditions.filter((condition) => !before.has(keyOf(condition))),
    changed: open.flatMap((each) => {
      const details = now.get(keyOf(each))?.details;
      return details && !isDeepStrictEqual(details, each.details) ? [{ ...each, now: details }] : [];
    }),
    over: open.filter((each) => !now.has(keyOf(each))),
  };
}

const programsOf = ({ begun, changed, over }: Changes): Due[] =>
  [...new Set([...begun, ...changed, ...over].map(({ programId }) => programId))].map((programId) => ({
    programId,
  }));

async function open(tx: Tx, condition: Condition): Promise<void> {
  const opened = await insertNotification(tx, condition, newId(Date.now()));
  if (opened) await planDeliveries(tx, opened);
}

async function apply(tx: Tx, { begun, changed, over }: Changes): Promise<void> {
  for (const condition of begun)
    if (!(await reopen(tx, condition, SAME_WITHIN_MS))) await open(tx, condition);
  for (const { now, ...each } of changed) await updateDetails(tx, each, now);
  for (const each of over) await closeNotification(tx, each);
}
