/** What the list of rules can show. Apart from their words, because every page knows the addresses of all. */
export const RULE_FILTERS = {
  status: ['PREPARING', 'SHADOW', 'ACTIVE', 'ARCHIVED'],
  action: ['DECLINE', 'FLAG', 'REQUIRE_AUTHENTICATION'],
} as const;
