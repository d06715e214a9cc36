/** The groups by which the audit page is filtered. */
export const PRESETS = {
  money: 'Money',
  access: 'People and access',
  reveals: 'Reveals',
  settings: 'Settings',
  cards: 'Cards and customers',
  views: 'Searches and views',
  sandbox: 'Sandbox',
} as const;
export type Preset = keyof typeof PRESETS;

interface Described {
  preset: Preset;
  /** As the console shows it. */
  words: string;
  /** For the documents: what the words do not say. */
  note?: string;
}

/** Every action of the audit. The type of `audit()`, the words of the console and the table in the documents use this table. */
export const ACTIONS = {
  'account.alert_changed': { preset: 'money', words: 'Low balance alert changed' },
  'approval.approved': { preset: 'money', words: 'Approved by a second person' },
  'approval.failed': {
    preset: 'money',
    words: 'Approved change failed',
    note: 'the rules of that moment refused it; with the reason',
  },
  'approval.rejected': { preset: 'money', words: 'Request rejected' },
  'approval.requested': { preset: 'money', words: 'Approval requested' },
  'approval.withdrawn': { preset: 'money', words: 'Request withdrawn' },
  'card.balance_adjusted': { preset: 'money', words: 'Balance adjusted' },
  'program.funded': { preset: 'money', words: 'Deposit' },
  'program.withdrawn': { preset: 'money', words: 'Withdrawal' },

  'key.created': { preset: 'access', words: 'API key created' },
  'key.revoked': { preset: 'access', words: 'API key revoked' },
  'key.rotated': { preset: 'access', words: 'API key rotated' },
  'operator.added': { preset: 'access', words: 'Person added' },
  'operator.changed': { preset: 'access', words: 'Person changed' },
  'operator.invitation_accepted': {
    preset: 'access',
    words: 'Invitation accepted',
    note: 'the person opened the account',
  },
  'operator.invitation_revoked': { preset: 'access', words: 'Invitation revoked' },
  'operator.invited': { preset: 'access', words: 'Person invited' },
  'operator.locked_out': {
    preset: 'access',
    words: 'Person locked out',
    note: 'too many wrong passwords or codes',
  },
  'operator.openid_connected': { preset: 'access', words: 'OpenID sign-in connected' },
  'operator.password_changed': { preset: 'access', words: 'Password changed' },
  'operator.recovery_code_used': { preset: 'access', words: 'Recovery code used' },
  'operator.recovery_codes_renewed': { preset: 'access', words: 'Recovery codes renewed' },
  'operator.second_factor_added': { preset: 'access', words: 'Second factor added' },
  'operator.second_factor_removed': { preset: 'access', words: 'Second factor removed' },
  'operator.sessions_ended': { preset: 'access', words: 'Sessions ended' },
  'operator.sign_in_refused': { preset: 'access', words: 'Sign-in refused', note: 'with the reason' },
  'operator.signed_in': { preset: 'access', words: 'Signed in' },
  'operator.signed_out': { preset: 'access', words: 'Signed out' },
  'operator.unlocked': { preset: 'access', words: 'Person unlocked' },
  'vault.key_added': { preset: 'access', words: 'Vault key added' },
  'vault.key_destroyed': { preset: 'access', words: 'Vault key destroyed' },
  'vault.key_rewrapped': { preset: 'access', words: 'Vault key rewrapped' },

  'card.credentials_revealed': {
    preset: 'reveals',
    words: 'Number revealed',
    note: "for an operator, with the reason; for a reveal session, with the `id` that the API returned (`revealSessionId`) and the cardholder's address",
  },
  'card.reveal_refused': {
    preset: 'reveals',
    words: 'Reveal refused',
    note: '`cause` is `scope`, `role`, `limit`, `reason` or, in a reveal session, `verifier`. At most 3 entries a minute for each key and operator in each process, and 3 of `verifier` for each session; `emboss_http_request_duration_seconds` counts all refusals by route and status',
  },
  'card.reveal_session_created': {
    preset: 'reveals',
    words: 'Reveal session created',
    note: '`revealSessionId` is the `id` that the API returned',
  },
  'console.revealed_identity': {
    preset: 'reveals',
    words: 'Identity revealed',
    note: "an operator saw a customer's date of birth and address; the entry has the customer's newest card",
  },
  'console.viewed_shipment': { preset: 'reveals', words: 'Shipping address viewed' },

  'decision_endpoint.created': { preset: 'settings', words: 'Decision endpoint created' },
  'decision_endpoint.removed': { preset: 'settings', words: 'Decision endpoint removed' },
  'decision_endpoint.replaced': { preset: 'settings', words: 'Decision endpoint changed' },
  'decision_endpoint.secret_rotated': { preset: 'settings', words: 'Decision endpoint secret rotated' },
  'design.added': { preset: 'settings', words: 'Design added' },
  'design.updated': { preset: 'settings', words: 'Design changed' },
  'program.created': { preset: 'settings', words: 'Program created' },
  'program.demo_made': { preset: 'settings', words: 'Demo data created' },
  'program.updated': { preset: 'settings', words: 'Program changed' },
  'rule.archived': { preset: 'settings', words: 'Rule archived' },
  'rule.prepared': { preset: 'settings', words: 'Rule prepared' },
  'rule.backtest_requested': {
    preset: 'settings',
    words: 'Backtest of a rule requested',
    note: 'without its condition',
  },
  'rule.created': { preset: 'settings', words: 'Rule created', note: 'without its condition' },
  'rule.demoted': { preset: 'settings', words: 'Rule demoted to SHADOW' },
  'rule.list_changed': {
    preset: 'settings',
    words: 'List of rules changed',
    note: 'with its size before and after, without values',
  },
  'rule.list_removed': { preset: 'settings', words: 'List of rules removed' },
  'rule.promoted': { preset: 'settings', words: 'Rule promoted to ACTIVE' },
  'webhook_endpoint.added': { preset: 'settings', words: 'Webhook endpoint added' },
  'webhook_endpoint.changed': { preset: 'settings', words: 'Webhook endpoint changed' },
  'webhook_endpoint.disabled': { preset: 'settings', words: 'Webhook endpoint disabled' },
  'webhook_endpoint.enabled': { preset: 'settings', words: 'Webhook endpoint enabled' },
  'webhook_endpoint.removed': { preset: 'settings', words: 'Webhook endpoint removed' },
  'webhook_endpoint.secret_rotated': { preset: 'settings', words: 'Webhook endpoint secret rotated' },

  'authentication.answered': { preset: 'cards', words: 'Authentication answered' },
  'card.3ds_forwarding_changed': { preset: 'cards', words: '3-D Secure changed' },
  'card_batch.created': {
    preset: 'cards',
    words: 'Card batch sent',
    note: 'with its id and the number of its rows; each card has an entry of its own, in the same name',
  },
  'card.blocked': { preset: 'cards', words: 'Card blocked' },
  'card.contact_changed': {
    preset: 'cards',
    words: 'Contact changed',
    note: 'with the names of the fields, without values',
  },
  'card.created': { preset: 'cards', words: 'Card created' },
  'card.expired': { preset: 'cards', words: 'Card expired' },
  'card.frozen': { preset: 'cards', words: 'Card frozen' },
  'card.metadata_changed': {
    preset: 'cards',
    words: 'Card metadata changed',
    note: 'with the keys that changed, without values',
  },
  'card.reissued': { preset: 'cards', words: 'Card reissued' },
  'card.replaced': { preset: 'cards', words: 'Card replaced' },
  'card.spend_controls_changed': { preset: 'cards', words: 'Spend controls changed' },
  'card.unfrozen': { preset: 'cards', words: 'Card unfrozen' },
  'card.updated': { preset: 'cards', words: 'Card changed' },
  'customer.note_added': {
    preset: 'cards',
    words: 'Note about the customer added',
    note: "the entry has the customer's newest card and no text",
  },
  'card.usage_changed': { preset: 'cards', words: 'Card usage changed' },
  'customer.note_removed': { preset: 'cards', words: 'Note about the customer removed' },
  'transaction.metadata_changed': {
    preset: 'cards',
    words: 'Transaction metadata changed',
    note: 'with the transaction and the keys that changed, without values',
  },

  'console.chose_notifications': { preset: 'views', words: 'Notifications chosen' },
  'console.deleted_view': { preset: 'views', words: 'Saved view deleted' },
  'console.exported_audit': {
    preset: 'views',
    words: 'Audit exported',
    note: 'with the filters except the customer id and the text',
  },
  'console.exported_cards': {
    preset: 'views',
    words: 'Cards exported',
    note: 'with the filters or the ids of the selected rows, and the columns',
  },
  'console.exported_transactions': {
    preset: 'views',
    words: 'Transactions exported',
    note: 'with the filters or the ids of the selected rows, and the columns',
  },
  'console.exported_webhook_events': {
    preset: 'views',
    words: 'Webhook events exported',
    note: 'with the filters or the ids of the selected rows, and the columns',
  },
  'console.getFileRequest': { preset: 'views', words: 'Report opened' },
  'console.removed_notification_webhook': { preset: 'views', words: 'Own webhook removed' },
  'console.requestFile': { preset: 'views', words: 'Report requested' },
  'console.saved_view': { preset: 'views', words: 'View saved' },
  'console.searched': {
    preset: 'views',
    words: 'Searched',
    note: '`by` is `id`, `lastFour` or `text`, and `cardIds` and `transactionIds` are the cards and transactions that were shown. The search text is not stored, because it may be a name',
  },
  'console.set_notification_webhook': {
    preset: 'views',
    words: 'Own webhook set',
    note: 'for notifications, with its host',
  },
  'console.tested_notifications': { preset: 'views', words: 'Notifications tested' },
  'console.viewed_card': { preset: 'views', words: 'Card viewed' },
  'console.viewed_customer': { preset: 'views', words: 'Customer viewed' },
  'console.viewed_transaction': { preset: 'views', words: 'Transaction viewed' },
  'report.downloaded': { preset: 'views', words: 'Report downloaded' },
  'report.exported': { preset: 'views', words: 'Report exported by the command line' },

  'clock.moved': { preset: 'sandbox', words: 'Sandbox clock moved' },
  'console.registerKycApplicant': { preset: 'sandbox', words: 'KYC applicant registered' },
  'console.resendMissedWebhookEvents': { preset: 'settings', words: 'Undelivered webhook events resent' },
  'console.resendWebhookEvent': { preset: 'settings', words: 'Webhook event resent' },
  'console.simulateAuthentication': { preset: 'sandbox', words: 'Authentication simulated' },
  'console.simulateAuthorization': { preset: 'sandbox', words: 'Purchase simulated' },
  'console.simulateClearing': { preset: 'sandbox', words: 'Clearing simulated' },
  'console.simulateIncrement': { preset: 'sandbox', words: 'Increment simulated' },
  'console.simulateRefund': { preset: 'sandbox', words: 'Refund simulated' },
  'console.simulateReversal': { preset: 'sandbox', words: 'Reversal simulated' },
  'console.testDecisionEndpoint': { preset: 'settings', words: 'Decision endpoint tested' },
  'console.testWebhookEndpoint': { preset: 'settings', words: 'Webhook endpoint tested' },
} as const satisfies Record<string, Described>;

export type AuditAction = keyof typeof ACTIONS;
/** Actions that a route of the console declares. */
export type ConsoleAction = Extract<AuditAction, `console.${string}`>;

/** An action that only an older version wrote is shown as it is stored. */
export const actionWords = (action: string): string =>
  (ACTIONS as Record<string, Described>)[action]?.words ?? action;

const all = Object.entries(ACTIONS) as Array<[AuditAction, Described]>;

export const presetOf = (action: string): Preset | undefined =>
  (ACTIONS as Record<string, Described>)[action]?.preset;

/** The actions of a preset. */
export const actionsOf = (preset: Preset): string[] =>
  all.filter(([, described]) => described.preset === preset).map(([action]) => action);

/** The actions whose words contain a text in lower case. */
export const actionsNamed = (text: string): string[] =>
  all.filter(([, { words }]) => words.toLowerCase().includes(text)).map(([action]) => action);
