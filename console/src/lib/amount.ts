/**
 * The amount in a number field; null if it is empty or not yet a number. While it is typed the field holds a string,
 * such as "100." before "100.50": keep that in the state, or the field is emptied under the typing.
 */
export function amountOf(value: string | number): number | null {
  const amount = value === '' ? Number.NaN : Number(value);
  return Number.isNaN(amount) ? null : amount;
}
