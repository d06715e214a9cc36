import { documentEvents } from '../events/schema.ts';
import { EXAMPLE_BACKTEST } from './backtests/examples.ts';
import { Backtest } from './backtests/schema.ts';
import { EXAMPLE_LIST, EXAMPLE_RULE_VIEW } from './examples.ts';
import { RuleListEventData } from './list-schema.ts';
import { RuleEventData } from './schema.ts';

const ruleEvent = (title: string, summary: string, more: Record<string, unknown> = {}) => ({
  ...{ title, summary, data: RuleEventData },
  exampleData: { ...EXAMPLE_RULE_VIEW, ...more },
});
const listEvent = (title: string, summary: string) => ({
  ...{ title, summary, data: RuleListEventData },
  exampleData: EXAMPLE_LIST,
});
const activeSince = '2026-11-22T08:30:00+0000';

export const RULE_EVENTS = documentEvents('rule', {
  'rule.created': ruleEvent(
    'RuleCreatedEvent',
    'A rule was created, in `SHADOW`, or in `PREPARING` while its velocities count what came before',
  ),
  'rule.prepared': ruleEvent(
    'RulePreparedEvent',
    'The velocities of a rule count their whole windows: it is in `SHADOW` now',
  ),
  'rule.promoted': ruleEvent('RulePromotedEvent', 'A rule became `ACTIVE`', {
    status: 'ACTIVE',
    activeSince,
  }),
  'rule.demoted': ruleEvent('RuleDemotedEvent', 'A rule became `SHADOW` again', { activeSince }),
  'rule.archived': ruleEvent('RuleArchivedEvent', 'A rule was archived', {
    status: 'ARCHIVED',
    archivedAt: '2026-11-23T08:30:00+0000',
  }),
  'rule.list_changed': listEvent(
    'RuleListChangedEvent',
    'A list of rules was created, or its values changed',
  ),
  'rule.list_removed': listEvent('RuleListRemovedEvent', 'A list of rules was deleted'),
  'rule.backtest_completed': {
    title: 'RuleBacktestCompletedEvent',
    summary: 'A backtest has come to its end: `status` is `COMPLETED` or `FAILED`',
    data: Backtest,
    exampleData: EXAMPLE_BACKTEST,
  },
});
