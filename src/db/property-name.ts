/** The property that a column is read into: `created_at` is `createdAt`. Other names stay as they are. */
export const propertyName = (column: string): string =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
