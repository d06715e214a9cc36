/** The one inner part of the driver that we use: how it writes a value of JavaScript for the server. */
declare module 'pg/lib/utils.js' {
  const utils: { prepareValue(value: unknown): string | Buffer | null };
  export default utils;
}
