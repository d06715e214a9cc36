export const FILTERS = [
  'chain',
  'actor',
  'action',
  'preset',
  'text',
  'card_id',
  'customer_id',
  'from',
  'to',
] as const;
export type FilterName = (typeof FILTERS)[number];
export type AuditSearch = Partial<Record<FilterName, string>>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const isCardId = (text: string): boolean => UUID.test(text);
