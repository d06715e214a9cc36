/** A keyed digest; the vault holds the key, so that nothing made with it can be made in the database. */
export type Digest = (...parts: string[]) => Buffer;
