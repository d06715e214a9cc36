/** The dialogs that the shell opens after the palette has closed. Apart from the palette, which is loaded later. */
export const CREATE_CARD = 'create-card';
export type CardDialogName = 'freeze' | 'reissue' | 'replace';
