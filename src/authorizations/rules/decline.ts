/**
 * Every decline reason: its code for the merchant, its code for the network, and for support staff its meaning and its
 * remedy.
 */
export const DECLINES = {
  card_blocked: {
    declineCode: 'R8',
    networkCode: '62',
    meaning: 'The card is permanently blocked.',
    remedy: 'A blocked card cannot be used again. See its history for the reason, then create a new card.',
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
  merchant_category_not_allowed: {
    declineCode: 'R19',
    networkCode: '57',
    meaning: "The card's spend controls do not allow this merchant category.",
    remedy: "To allow such purchases, change the card's allowed or blocked merchant categories.",
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
    remedy: 'Compare both limits with the amount spent, and raise the one that was reached.',
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
    remedy: 'Nothing more was held. The merchant can ask for a new authorization.',
  },
  /** An advice: the network decided while it could not reach us. */
  stand_in_declined: {
    declineCode: 'R14',
    networkCode: '05',
    meaning: 'The card network declined the purchase in place of Emboss.',
    remedy: 'Nothing was charged. Ask the cardholder to try again.',
  },
} as const;

export type DeclineReason = keyof typeof DECLINES;

/** All outcomes of an authorization, for metrics. */
export const AUTHORIZATION_OUTCOMES: readonly string[] = ['approved', ...Object.keys(DECLINES)];

export const APPROVED_NETWORK_CODE = '00';
export const PARTLY_APPROVED_NETWORK_CODE = '10';
