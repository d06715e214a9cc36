import type { Event } from '@emboss/sdk';
import type { Tone } from '../../components/status-badge.tsx';
import type { LiveEvent } from '../../lib/types.ts';
import { declineWords } from '../transactions/filters.ts';

/** All files share one label, and test events are not shown. */
type Labelled = Exclude<Event['eventName'], `${string}_file` | 'test'>;

const EVENTS: Record<Labelled, readonly [title: string, tone: Tone]> = {
  authorization: ['Approved', 'good'],
  'authorization.declined': ['Declined', 'bad'],
  'authorization.increment': ['Hold raised', 'good'],
  'authorization.reversal': ['Reversed', 'quiet'],
  'authorization.clearing': ['Cleared', 'cool'],
  'authorization.clearing.reversal': ['Clearing reversed', 'quiet'],
  'authorization.expired': ['Hold released', 'quiet'],
  refund: ['Refunded', 'cool'],
  'refund.reversal': ['Refund reversed', 'quiet'],
  'transaction.updated': ['Transaction changed', 'quiet'],
  'settlement.unmatched': ['Cleared without a card', 'warn'],
  'settlement.unmatched.reversal': ['Clearing without a card reversed', 'quiet'],
  'clearing_file.completed': ['Clearing file completed', 'good'],
  'clearing_file.rejected': ['Clearing file rejected', 'bad'],
  'account.funded': ['Account funded', 'good'],
  'account.withdrawn': ['Money withdrawn', 'quiet'],
  'account.low_balance': ['Low balance', 'bad'],
  'card.created': ['Card created', 'good'],
  'card.updated': ['Card changed', 'quiet'],
  'card.frozen': ['Card frozen', 'cool'],
  'card.unfrozen': ['Card unfrozen', 'good'],
  'card.blocked': ['Card blocked', 'bad'],
  'card.reissued': ['Card reissued', 'quiet'],
  'card_batch.completed': ['Card batch completed', 'good'],
  'rule.created': ['Rule created', 'quiet'],
  'rule.prepared': ['Rule prepared', 'quiet'],
  'rule.backtest_completed': ['Backtest completed', 'good'],
  'rule.promoted': ['Rule promoted', 'cool'],
  'rule.demoted': ['Rule demoted', 'quiet'],
  'rule.archived': ['Rule archived', 'quiet'],
  'rule.list_changed': ['List of rules changed', 'quiet'],
  'rule.list_removed': ['List of rules removed', 'quiet'],
  'card.expired': ['Card expired', 'quiet'],
  'authentication.challenge': ['Approval requested', 'cool'],
  'authentication.completed': ['Authentication completed', 'quiet'],
  'decision.stand_in_ended': ['Decision endpoint responds', 'good'],
  'decision.stand_in_started': ['Decision requests stopped', 'bad'],
  'security.endpoint_changed': ['Decision endpoint changed', 'bad'],
  'security.credentials_key_created': ['Key with access to card numbers created', 'bad'],
};

/** The titles of events by name, for filters. */
export const EVENT_TITLES: Record<string, string> = Object.fromEntries(
  Object.entries(EVENTS).map(([name, [title]]) => [name, title]),
);

const AUTHENTICATIONS: Record<string, readonly [title: string, tone: Tone]> = {
  AUTHENTICATED: ['Cardholder authenticated', 'good'],
  REJECTED: ['Authentication rejected', 'bad'],
  UNAVAILABLE: ['Authentication unavailable', 'quiet'],
};

/** Describes an event of the live feed. An unknown name is a report that is ready. */
export function describeEvent(event: LiveEvent): { title: string; tone: Tone; detail: string } {
  const result = event.type === 'authentication' ? AUTHENTICATIONS[event.status ?? ''] : undefined;
  const [title, tone] = result ?? EVENTS[event.name as Labelled] ?? ['Report ready', 'quiet'];
  const card = event.lastFour ? `••••\u00a0${event.lastFour}` : null;
  const reason = event.declineReason && declineWords(event.declineReason);
  const detail = [event.merchant, card].filter(Boolean).join(' · ');
  return {
    title: reason ? `${title}: ${reason}` : title,
    tone,
    detail: detail || pageOf(event.name).detail,
  };
}

/** The page about an event without a card and a transaction. */
export function pageOf(name: string): {
  page: 'cards' | 'program' | 'rules' | 'decisions' | 'keys' | 'reports';
  detail: string;
} {
  if (name.startsWith('card_batch.')) return { page: 'cards', detail: 'Cards' };
  if (name.startsWith('rule.')) return { page: 'rules', detail: 'Rules' };
  if (name.startsWith('account.')) return { page: 'program', detail: 'Master account' };
  if (name === 'security.credentials_key_created') return { page: 'keys', detail: 'API keys' };
  if (/^(decision|security)\./.test(name)) return { page: 'decisions', detail: 'Real-time decisions' };
  return { page: 'reports', detail: name.replaceAll('_', ' ') };
}
