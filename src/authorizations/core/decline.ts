import type { Counter } from '../../kernel/metric.ts';
import { RULE_NETWORK_CODES } from '../../rules/rule.ts';

/**
 * Every decline reason: its code for the merchant, its code for the network, and for support staff its meaning and its
 * remedy.
 */
export const DECLINES = {
  card_blocked: {
    declineCode: 'R8',
    networkCode: '62',
    meaning: 'The card is permanently blocked.',
    remedy: 'A blocked card cannot be used again. See its history for the reason, then issue a replacement.',
  },
  invalid_card_number: {
    declineCode: '14',
    networkCode: '14',
    meaning: 'No active card has this number. It was mistyped, or the card was reissued with a new number.',
    remedy:
      'Compare the last four digits with the card. After a reissue, update the saved number at the merchant.',
  },
  card_frozen: {
    declineCode: 'R1',
    networkCode: '62',
    meaning: 'The card is frozen.',
    remedy:
      'If the cardholder has the card and recognizes the purchase, unfreeze the card and ask them to try again.',
  },
  card_expired: {
    declineCode: '54',
    networkCode: '54',
    meaning: 'The card is past its expiry date.',
    remedy: 'Reissue the card with a new expiry date.',
  },
  expiry_mismatch: {
    declineCode: '54',
    networkCode: '54',
    meaning: 'The expiry date entered does not match the card.',
    remedy:
      'Ask the cardholder to enter the month and year again. After a reissue, update the saved date at the merchant.',
  },
  cvv_mismatch: {
    declineCode: 'N7',
    networkCode: 'N7',
    meaning: 'The CVV entered is wrong.',
    remedy: 'Ask the cardholder to check the CVV and try again. Three wrong CVVs in a row block the card.',
  },
  card_not_valid_now: {
    declineCode: 'R25',
    networkCode: '62',
    meaning: 'The card may only be used at another time.',
    remedy: "See the card's usage for when it is valid. To allow the purchase, change that time.",
  },
  card_used: {
    declineCode: 'R24',
    networkCode: '62',
    meaning: 'The card was issued for a number of purchases, and all of them are used.',
    remedy: 'Create a card for the next purchase, or allow more purchases on this one.',
  },
  merchant_locked: {
    declineCode: 'R21',
    networkCode: '57',
    meaning: 'The card may only be used at other merchants.',
    remedy: "See the card's usage for its merchants. To allow this one, change them.",
  },
  merchant_category_not_allowed: {
    declineCode: 'R19',
    networkCode: '57',
    meaning: "The card's spend controls do not allow this merchant category.",
    remedy: "To allow such purchases, change the card's allowed or blocked merchant categories.",
  },
  rule_declined: {
    declineCode: 'R20',
    // By the reason of the rule; see `networkCodeOf`.
    networkCode: RULE_NETWORK_CODES.NOT_PERMITTED,
    meaning: 'One of your rules declined the purchase. The transaction names the rule and what it saw.',
    remedy: 'To allow such purchases, demote the rule, or replace it by one that leaves them out.',
  },
  authentication_required: {
    declineCode: '1A',
    networkCode: '1A',
    meaning:
      'The program requires 3-D Secure for online purchases of this amount, or one of your rules does for this purchase, and the purchase had none that counts.',
    remedy:
      'Ask the cardholder to pay again and confirm the payment with 3-D Secure. See the transaction for why an authentication did not count.',
  },
  transaction_limit: {
    declineCode: 'R7',
    networkCode: '61',
    meaning: "The amount exceeds the card's per-transaction limit.",
    remedy: "Raise the card's per-transaction limit, or ask the cardholder to split the payment.",
  },
  daily_limit: {
    declineCode: 'R6',
    networkCode: '61',
    meaning: "The purchase would exceed the card's daily limit.",
    remedy: "The limit resets at midnight UTC. Try again after that, or raise the card's daily limit.",
  },
  card_limit: {
    declineCode: 'R13',
    networkCode: '61',
    meaning: "The purchase would exceed the card's monthly or lifetime limit.",
    remedy: 'Raise the limit that was reached. A monthly limit resets on the first day of the month, UTC.',
  },
  insufficient_funds: {
    declineCode: '51',
    networkCode: '51',
    meaning: "The card's available credit does not cover the purchase and its fees.",
    remedy:
      "Add to the card's balance. Pending purchases reduce the available credit; it returns if they are reversed or expire.",
  },
  program_balance: {
    declineCode: 'R10',
    networkCode: '51',
    meaning: "The program's master account does not cover the purchase. The card itself is fine.",
    remedy: "Fund the program's master account, then ask the cardholder to try again.",
  },
  /** The reversal arrived before its authorization. */
  already_reversed: {
    declineCode: '12',
    networkCode: '12',
    meaning: 'The merchant cancelled this purchase before it reached Emboss.',
    remedy: 'Nothing was charged. If the cardholder still wants to buy, ask them to pay again.',
  },
  hold_closed: {
    declineCode: '12',
    networkCode: '12',
    meaning:
      'The merchant tried to raise a hold that was already reversed, expired, declined or finally cleared.',
    remedy: 'Nothing more was held. The merchant can request a new authorization.',
  },
  /** An advice: the network decided while it could not reach us. */
  stand_in_declined: {
    declineCode: 'R14',
    networkCode: '05',
    meaning: 'The card network declined the purchase in place of Emboss.',
    remedy: 'Nothing was charged. Ask the cardholder to try again.',
  },
  /** The merchant's own decision in real time. */
  program_insufficient_funds: {
    declineCode: '5E',
    networkCode: '51',
    meaning: "Your server declined the purchase: the customer's balance does not cover it.",
    remedy: "Add to the customer's balance in your own system, then ask them to try again.",
  },
  program_limit: {
    declineCode: '61',
    networkCode: '61',
    meaning: 'Your server declined the purchase: it exceeds a limit of your own.',
    remedy: "Check the customer's limits in your own system.",
  },
  program_merchant: {
    declineCode: '57',
    networkCode: '57',
    meaning: 'Your server declined the purchase: it does not allow this merchant.',
    remedy: 'Check in your own system which merchants the customer may pay.',
  },
  program_fraud: {
    declineCode: '59',
    networkCode: '59',
    meaning: 'Your server declined the purchase: it suspects fraud.',
    remedy: 'Ask the cardholder whether they made the purchase. If they did not, freeze the card.',
  },
  program_declined: {
    declineCode: '05',
    networkCode: '05',
    meaning: 'Your server declined the purchase.',
    remedy: 'Look up the reference of the decision in your own system.',
  },
  decision_timeout: {
    declineCode: 'R17',
    networkCode: '91',
    meaning: 'Your server did not answer in time whether to approve the purchase.',
    remedy:
      'Ask the cardholder to try again. If it happens often, look at the response times of your server.',
  },
  decision_unavailable: {
    declineCode: 'R18',
    networkCode: '91',
    meaning: 'Emboss could not request a decision from your server.',
    remedy: 'Test the decision endpoint and see whether it is paused. Then ask the cardholder to try again.',
  },
  decision_invalid: {
    declineCode: 'R12',
    networkCode: '96',
    meaning: 'Your server gave an answer that cannot be used.',
    remedy: 'Compare the answers of your server with the documentation of real-time decisions.',
  },
} as const;

export type DeclineReason = keyof typeof DECLINES;

export const AUTHORIZATIONS: Counter<{ outcome: string }> = {
  type: 'counter',
  name: 'emboss_authorizations_total',
  help: 'Authorizations decided, by outcome: approved, or the decline reason.',
  labels: { outcome: ['approved', ...Object.keys(DECLINES)] },
};

export const APPROVED_NETWORK_CODE = '00';
export const PARTLY_APPROVED_NETWORK_CODE = '10';
