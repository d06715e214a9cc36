/** The only internal part of the driver that we use: it converts JavaScript values for the server. */
declare module 'pg/lib/utils.js' {
  const utils: { prepareValue(value: unknown): string | Buffer | null };
  export default utils;
}
