export const REVEAL_FIELDS = ['number', 'expiry', 'cvv'] as const;
export type RevealField = (typeof REVEAL_FIELDS)[number];

export const THEME_SIZES = ['small', 'medium', 'large'] as const;
export const THEME_FONTS = ['system', 'serif', 'mono'] as const;

/** Words from lists, and colours: nothing in it can contain a style or an address. */
export interface Theme {
  background?: string;
  text?: string;
  accent?: string;
  size?: (typeof THEME_SIZES)[number];
  font?: (typeof THEME_FONTS)[number];
}

/** Real time: moves of the program clock neither extend nor end a session. */
export const SESSION_MS = 60_000;
export const MOST_OPEN = 5;
export const MOST_WRONG_VERIFIERS = 3;

/** What the address of the page says about a session. */
export interface SessionRef {
  programId: string;
  id: string;
  /** The only origin whose pages can frame the page; null: none. */
  origin: string | null;
}

/** An open session. The row is deleted when the session ends, so a used one looks like one that never existed. */
export interface RevealSession extends SessionRef {
  cardId: string;
  /** The session shows this credential only: a reissue with a new one ends it. */
  credentialId: string;
  /** The key that created it (`key:<id>`): its limits count, and its revocation ends the session. */
  createdBy: string;
  /** SHA-256 of the verifier, which Emboss never stores. */
  challenge: Buffer;
  fields: readonly RevealField[];
  displaySeconds: number;
  theme: Theme | null;
  expiresAt: Date;
}
