/** Every reason to decline, with the code that the merchant sees and the one that the network gets. */
export const DECLINES = {
  invalid_card_number: { declineCode: '14', networkCode: '14' },
  card_blocked: { declineCode: 'R8', networkCode: '62' },
  card_frozen: { declineCode: 'R1', networkCode: '62' },
  card_expired: { declineCode: '54', networkCode: '54' },
  expiry_mismatch: { declineCode: '54', networkCode: '54' },
  cvv_mismatch: { declineCode: 'N7', networkCode: 'N7' },
  merchant_category_not_allowed: { declineCode: 'R19', networkCode: '57' },
  transaction_limit: { declineCode: 'R7', networkCode: '61' },
  daily_limit: { declineCode: 'R6', networkCode: '61' },
  card_limit: { declineCode: 'R13', networkCode: '61' },
  insufficient_funds: { declineCode: '51', networkCode: '51' },
  program_balance: { declineCode: 'R10', networkCode: '51' },
  /** Its reversal came first. */
  already_reversed: { declineCode: '12', networkCode: '12' },
} as const;

export type DeclineReason = keyof typeof DECLINES;

export const APPROVED_NETWORK_CODE = '00';
