import { readXml } from './read-xml.ts';

/** An error response, or no response at all. It never contains a header, a key or a signature. */
export interface S3Trouble {
  error: Error;
  /** Worth a retry: a network error, or a server that is overloaded or failing. */
  mayPass: boolean;
  isMissing: boolean;
}

/** Advice for the operator. The server's own text is left out, because it may repeat the request. */
const ADVICE: Record<string, string> = {
  AccessDenied: 'the access key has no permission for this in S3_BUCKET',
  AuthorizationHeaderMalformed: 'check S3_REGION',
  InvalidAccessKeyId: 'S3_ACCESS_KEY_ID is unknown',
  NoSuchBucket: 'S3_BUCKET does not exist',
  PermanentRedirect: 'S3_BUCKET is in another region: check S3_ENDPOINT and S3_REGION',
  RequestTimeTooSkewed: "this machine's clock is wrong",
  SignatureDoesNotMatch: 'check S3_SECRET_ACCESS_KEY and S3_REGION',
};

/** An S3 error has a few hundred bytes. A far larger body is not an S3 error, and the limit bounds the memory. */
const MAX_BYTES = 65_536;

/** Any other text could repeat the request. */
const CODE = /^\w{1,64}$/;

export async function readTrouble(what: string, response: Response): Promise<S3Trouble> {
  const { status } = response;
  const text = readXml(await readBounded(response)).get('Code') ?? '';
  const code = CODE.test(text) ? text : '';
  const advice = ADVICE[code] ? `: ${ADVICE[code]}` : '';
  return {
    error: new Error(`S3 storage: ${what} failed with ${status}${code && ` ${code}`}${advice}`),
    mayPass: status >= 500 || status === 429 || code === 'RequestTimeout',
    isMissing: status === 404 && code !== 'NoSuchBucket',
  };
}

/** Reports the error code only: the text of a network error may contain a header, and headers contain the signature. */
export function networkTrouble(what: string, error: unknown): S3Trouble {
  const { name, cause } = error as { name?: unknown; cause?: { code?: unknown } };
  const code = typeof cause?.code === 'string' ? cause.code : 'network error';
  const why = name === 'AbortError' ? 'took too long' : `failed (${code})`;
  return { error: new Error(`S3 storage: ${what} ${why}`), mayPass: true, isMissing: false };
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
