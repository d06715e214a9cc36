/** What the list of approvals can show: one status, or all. */
export const STATUS_FILTERS = {
  PENDING: 'Pending',
  APPROVED: 'Approved',
  REJECTED: 'Rejected',
  WITHDRAWN: 'Withdrawn',
  FAILED: 'Failed',
  EXPIRED: 'Expired',
  ALL: 'All',
} as const;
export type StatusFilter = keyof typeof STATUS_FILTERS;

export const isStatusFilter = (given: unknown): given is StatusFilter =>
  typeof given === 'string' && Object.hasOwn(STATUS_FILTERS, given);
