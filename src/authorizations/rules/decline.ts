/**
 * Every reason to decline: the code that the merchant sees, the one that the network gets, and for whoever speaks with
 * the cardholder what it means and what to do about it.
 */
export const DECLINES = {
  invalid_card_number: {
    declineCode: '14',
    networkCode: '14',
    meaning: 'The card number is not in use: it was mistyped, or the card was reissued with a new number.',
    remedy:
      'Compare the last four digits with the card. After a reissue, enter the new number where the old one is saved.',
  },
  card_blocked: {
    declineCode: 'R8',
    networkCode: '62',
    meaning: 'The card is blocked for good.',
    remedy:
      'A blocked card cannot be used again. Read why it was blocked in its history, then make a new card.',
  },
  card_frozen: {
    declineCode: 'R1',
    networkCode: '62',
    meaning: 'The card is frozen.',
    remedy: 'If the cardholder has the card and knows of the purchase, unfreeze it and let them try again.',
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
    meaning: 'The expiry date that was entered is not the one of the card.',
    remedy:
      'Let the cardholder enter month and year again. After a reissue, a shop may have kept the old date: update it there.',
  },
  cvv_mismatch: {
    declineCode: 'N7',
    networkCode: 'N7',
    meaning: 'The security code (CVV) that was entered is wrong.',
    remedy: 'Let the cardholder enter the code again with care: three wrong codes in a row block the card.',
  },
  merchant_category_not_allowed: {
    declineCode: 'R19',
    networkCode: '57',
    meaning: "The card's controls do not allow this kind of merchant.",
    remedy:
      'If the purchase is meant to be possible, change the allowed or blocked merchant categories of the card.',
  },
  transaction_limit: {
    declineCode: 'R7',
    networkCode: '61',
    meaning: 'The amount is above what the card may spend at once.',
    remedy: 'Raise the transaction limit of the card, or let the cardholder pay in parts.',
  },
  daily_limit: {
    declineCode: 'R6',
    networkCode: '61',
    meaning: 'The purchase would go over what the card may spend in a day.',
    remedy: 'The day ends at midnight UTC: try again after it, or raise the daily limit of the card.',
  },
  card_limit: {
    declineCode: 'R13',
    networkCode: '61',
    meaning: 'The purchase would go over what the card may spend in a month, or in all.',
    remedy:
      'Compare the monthly and the all-time limit with what was spent, and raise the one that was reached.',
  },
  insufficient_funds: {
    declineCode: '51',
    networkCode: '51',
    meaning: 'The card has less available than the purchase and its fees come to.',
    remedy:
      'Add to the balance of the card. Holds of open purchases count too: they return if those are not cleared.',
  },
  program_balance: {
    declineCode: 'R10',
    networkCode: '51',
    meaning: "The program's own account cannot cover the purchase; the card itself is in order.",
    remedy:
      "Nothing is wrong on the cardholder's side. Fund the program's master account, then let them try again.",
  },
  /** Its reversal came first. */
  already_reversed: {
    declineCode: '12',
    networkCode: '12',
    meaning: 'The merchant had cancelled this purchase before it reached us.',
    remedy: 'Nothing was charged. If the cardholder still wants it, let them pay again.',
  },
} as const;

export type DeclineReason = keyof typeof DECLINES;

/** All that can become of an authorization, for those who count. */
export const AUTHORIZATION_OUTCOMES: readonly string[] = ['approved', ...Object.keys(DECLINES)];

export const APPROVED_NETWORK_CODE = '00';
