import pg from 'pg';

/** Puts a value into SQL as a type: as a parameter, or as a literal for COPY, which takes no parameters. */
export type Bind = (value: string | bigint, type: 'text' | 'uuid' | 'bigint' | 'date') => string;

export const asLiteral: Bind = (value, type) => `${pg.escapeLiteral(String(value))}::${type}`;

/** Adds each value to the parameters of a statement. */
export const asParameter =
  (values: unknown[]): Bind =>
  (value, type) =>
    `$${values.push(value)}::${type}`;
