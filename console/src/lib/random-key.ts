/** For the Idempotency-Key header. A page without TLS has no crypto.randomUUID. */
export const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
