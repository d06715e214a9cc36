import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { programRoute } from '../../app-routes.ts';
import type { RulesSearch } from './queries.ts';
import { RULE_FILTERS } from './rule-filters.ts';

/** The filters are in the URL, so that a shared link shows the same list. */
export const rulesRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'rules',
  validateSearch: ({ status, action }: Record<string, unknown>): RulesSearch => ({
    ...(isOneOf(status, RULE_FILTERS.status) && { status }),
    ...(isOneOf(action, RULE_FILTERS.action) && { action }),
  }),
  component: lazyRouteComponent(() => import('./rules-page.tsx'), 'RulesPage'),
});

/** `replaces`: the rule with whose condition the form begins. */
export const newRuleRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'rules/new',
  validateSearch: ({ replaces }: Record<string, unknown>): { replaces?: string } =>
    isId(replaces) ? { replaces } : {},
  component: lazyRouteComponent(() => import('./new-rule-page.tsx'), 'NewRulePage'),
});

export const ruleListsRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'rules/lists',
  component: lazyRouteComponent(() => import('./lists-page.tsx'), 'ListsPage'),
});

/** `backtest`: the one whose result is shown. */
export const ruleRoute = createRoute({
  getParentRoute: () => programRoute,
  path: 'rules/$ruleId',
  validateSearch: ({ backtest }: Record<string, unknown>): { backtest?: string } =>
    isId(backtest) ? { backtest } : {},
  component: lazyRouteComponent(() => import('./rule-page.tsx'), 'RulePage'),
});

const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value);

const isOneOf = (value: unknown, values: readonly string[]): value is string =>
  typeof value === 'string' && values.includes(value);
