/** Every event, by its type. Only these can be recorded, and each must be documented: see `schema.ts`. */
export const EVENT_NAMES = {
  card: [
    'card.created',
    'card.updated',
    'card.frozen',
    'card.unfrozen',
    'card.blocked',
    'card.reissued',
    'card.expired',
  ],
  transaction: [
    'authorization',
    'authorization.declined',
    'authorization.increment',
    'authorization.reversal',
    'authorization.clearing',
    'authorization.clearing.reversal',
    'authorization.expired',
    'refund',
    'refund.reversal',
    'transaction.updated',
  ],
  files: [
    'monthly_file',
    'daily_file',
    'fee_file',
    'monthly_transaction_fees_file',
    'monthly_non_transaction_fees_file',
    'daily_transaction_fee_file',
    'settlement_file',
  ],
  settlement: [
    'settlement.unmatched',
    'settlement.unmatched.reversal',
    'clearing_file.completed',
    'clearing_file.rejected',
  ],
  account: ['account.funded', 'account.withdrawn', 'account.low_balance'],
  security: ['security.credentials_key_created', 'security.endpoint_changed'],
  decision: ['decision.stand_in_started', 'decision.stand_in_ended'],
  rule: [
    'rule.created',
    'rule.prepared',
    'rule.promoted',
    'rule.demoted',
    'rule.archived',
    'rule.list_changed',
    'rule.list_removed',
    'rule.backtest_completed',
  ],
  card_batch: ['card_batch.completed'],
  authentication: ['authentication.challenge', 'authentication.completed'],
} as const;

export type EventType = keyof typeof EVENT_NAMES;
export const EVENT_TYPES = Object.keys(EVENT_NAMES) as EventType[];
export type EventName<Type extends EventType = EventType> = (typeof EVENT_NAMES)[Type][number];
