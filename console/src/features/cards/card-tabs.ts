export const CARD_TABS = ['transactions', 'controls', 'history'] as const;
export type CardTab = (typeof CARD_TABS)[number];
