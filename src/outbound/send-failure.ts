/**
 * A failure with a fixed message for operators. The message never repeats the text of an underlying error, which may
 * contain an address, a header or part of the response.
 */
export interface SendFailure {
  error: string;
  /**
   * `timeout`: the time limit of the request passed. `invalid`: the receiver responds, and not as it must. Every other
   * failure is `unreachable`.
   */
  kind: 'timeout' | 'invalid' | 'unreachable';
}

const OWN = new WeakMap<Error, SendFailure>();

/** An error whose message may be shown. */
export function failureOf(words: string, kind: SendFailure['kind'] = 'unreachable'): Error {
  const error = new Error(words);
  OWN.set(error, { error: words, kind });
  return error;
}

const NOT_HTTP = 'response is not HTTP';
const WORDS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  EPIPE: 'connection lost',
  ECONNABORTED: 'connection lost',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'host unreachable',
  EADDRNOTAVAIL: 'host unreachable',
  EHOSTDOWN: 'host unreachable',
  EPROTO: 'TLS failed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate not valid: issued for another host',
  CERT_HAS_EXPIRED: 'certificate not valid: expired',
  CERT_NOT_YET_VALID: 'certificate not valid: not valid yet',
  CERT_REVOKED: 'certificate not valid: revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate not valid: self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate not valid: issuer not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate not valid: unknown issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate not valid: unknown issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate not valid: unknown issuer',
};

/** The receiver responds, and not by the rules of HTTP. */
export const breaksHttp = ({ error, kind }: SendFailure): boolean => kind === 'invalid' || error === NOT_HTTP;

export const describeFailure = (error: unknown): SendFailure =>
  OWN.get(error as Error) ?? { error: wordsOf(error), kind: 'unreachable' };

function wordsOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return 'request failed';
  const words = WORDS[code];
  if (words !== undefined) return words;
  if (code.startsWith('HPE_')) return NOT_HTTP;
  if (/^ERR_(?:SSL|TLS)_/.test(code)) return 'TLS failed';
  if (/CERT|^INVALID_|SIGNATURE/.test(code)) return `certificate not valid: ${code}`;
  return `request failed: ${code}`;
}
