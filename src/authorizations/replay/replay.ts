import { dayOf } from '../../kernel/calendar.ts';
import { timeOf } from '../../kernel/ids.ts';
import type { Program } from '../../programs/program.ts';
import type { NotEvaluated, Outcome } from '../../rules/backtests/backtest.ts';
import { applies } from '../../rules/judge-rules.ts';
import { changes, type ProgramRules } from '../../rules/rule.ts';
import { type MemoryCounters, memoryCounters } from '../../rules/velocity/memory-counters.ts';
import { subjectsOf } from '../../rules/velocity/subjects.ts';
import { countTransaction } from '../core/count-transaction.ts';
import type { Setting, Velocities } from '../core/effects.ts';
import { judgeByRules } from '../core/judge-by-rules.ts';
import type { Asked, AttemptCard } from '../core/rule-attempt.ts';
import type { Mark } from '../core/spending.ts';
import { minorOf, newPast, type Past } from './past.ts';
import type { PastEvent } from './queries.ts';

/** A card as it is now, with its customer. */
export type PastCard = AttemptCard & { customerId: string };

/** A rule in the course of the history: all that later attempts depend on. */
export interface Replay {
  setting: Setting & { rules: ProgramRules };
  memory: MemoryCounters | undefined;
  cards: Map<string, PastCard>;
  pasts: Map<string, Past>;
  fromMs: number;
  isAsIfActive: boolean;
  /** The event is from before the last one that was counted. */
  isEarlier: boolean;
  /** The events of the attempts that the rule would have declined: all, or those of a page if nothing counts. */
  declined: Set<string>;
}

export function newReplay(
  program: Program,
  rules: ProgramRules,
  { fromMs, isAsIfActive }: Pick<Replay, 'fromMs' | 'isAsIfActive'>,
): Replay {
  const cards: Replay['cards'] = new Map();
  const memory = rules.velocities.size > 0 ? memoryCounters(rules.velocities) : undefined;
  const velocities: Velocities | undefined = memory && {
    counters: memory.counters,
    subjectsOf: ({ cardId, acceptor }) =>
      subjectsOf(cardId, cards.get(cardId)?.customerId ?? cardId, acceptor?.id ?? null),
  };
  return {
    setting: { program, nowMs: 0, today: '', rules, velocities },
    ...{ memory, cards, fromMs, isAsIfActive, isEarlier: false, pasts: new Map(), declined: new Set() },
  };
}

/** What an event did to its transaction, and what the rule says of the attempt, if it was one. */
export interface Step {
  after: Past;
  outcome?: Outcome | undefined;
}

/** Begins a step: the time is that of the event. */
export function enter(replay: Replay, event: PastEvent): { before: Past | undefined; card: PastCard } {
  const { setting, pasts, cards } = replay;
  setting.nowMs = timeOf(event.id);
  setting.today = dayOf(setting.nowMs);
  return { before: pasts.get(event.transactionId), card: cards.get(event.cardId) as PastCard };
}

/** Lets the windows of a transaction's subjects end now. */
function moveWindows({ memory, setting }: Replay, past: Past): void {
  if (memory && setting.velocities) memory.moveTo(setting.nowMs, setting.velocities.subjectsOf(past));
}

/** Ends a step: counts what changed. Of a time before the windows nothing counts. */
export function leave(replay: Replay, before: Past | undefined, { after }: Step): void {
  const { setting, memory, pasts, isEarlier } = replay;
  pasts.delete(after.id);
  pasts.set(after.id, after);
  if (!memory || isEarlier) return;
  if (before) moveWindows(replay, before);
  moveWindows(replay, after);
  countTransaction(setting.velocities, before, after);
  memory.keep();
}

export interface Attempted {
  event: PastEvent;
  asked: Asked;
  /** As it would be if it were approved. */
  purchase: Past;
  before: Past | undefined;
  approved: boolean;
}

/** What the rule says of an attempt, by the code that decides authorizations. */
export function judge(
  replay: Replay,
  { event, asked, purchase, before, approved }: Attempted,
  card: PastCard,
): Outcome | undefined {
  const { setting, isAsIfActive, declined } = replay;
  // Without velocities the same attempt is judged alike at any time.
  if ((replay.isEarlier && replay.memory) || setting.nowMs < replay.fromMs) return undefined;
  if (isAsIfActive && before?.isDeclined) return skipped(event, 'purchaseDeclined');
  moveWindows(replay, purchase);
  const verdict = judgeByRules(asked, purchase, card, setting, { isAdvice: event.isAdvice, before });
  if (!verdict) return undefined;
  const [matched] = verdict.matched;
  if (!matched) return appliesTo(replay, event, verdict, approved);
  const { effect, values } = matched;
  const wouldDecline = !verdict.isAdvice && changes(matched, approved);
  if (isAsIfActive && wouldDecline) declined.add(event.id);
  const amountMinor = minorOf(event.billAmount, setting.program.currency);
  const { id, transactionId, cardId } = event;
  return {
    eventId: id,
    approved,
    match: { id, transactionId, cardId, effect, approved, amountMinor, values },
    changes: wouldDecline,
  };
}

function appliesTo(
  { setting: { rules } }: Replay,
  event: PastEvent,
  verdict: NonNullable<ReturnType<typeof judgeByRules>>,
  approved: boolean,
): Outcome {
  return rules.set.rules.some((rule) => applies(rule, verdict.attempt))
    ? { eventId: event.id, approved, match: null, changes: false }
    : skipped(event, 'appliesToOthers');
}

export const skipped = ({ id: eventId }: PastEvent, reason: NotEvaluated): Outcome => ({ eventId, reason });

/** What the rule would have declined counts in no velocity. */
export const countingMark = (
  { declined }: Replay,
  { id }: PastEvent,
  past: Pick<Past, 'isDeclined'> | undefined,
  mark: Mark | undefined,
): Mark | undefined => (mark && (past?.isDeclined || declined.has(id)) ? { ...mark, velocities: [] } : mark);

export const beginning = (before: Past | undefined, event: PastEvent): Past => before ?? newPast(event);
