/** What a person should look at. */
export const FLAGS = ['no_authorization', 'over_hold', 'late', 'after_block', 'duplicate'] as const;
export type Flag = (typeof FLAGS)[number];
