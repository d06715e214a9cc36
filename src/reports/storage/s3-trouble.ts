/** An answer that is no success, or none at all. Nothing in it repeats a header, a key or a signature. */
export interface S3Trouble {
  error: Error;
  /** Worth another attempt: the network, or a server that is overloaded or ill. */
  mayPass: boolean;
  isMissing: boolean;
}

/** What an operator can do about it; the words of the server itself stay away, since they may repeat what we sent. */
const ADVICE: Record<string, string> = {
  AccessDenied: 'the access key has no permission for this in S3_BUCKET',
  AuthorizationHeaderMalformed: 'check S3_REGION',
  InvalidAccessKeyId: 'S3_ACCESS_KEY_ID is unknown',
  NoSuchBucket: 'S3_BUCKET does not exist',
  PermanentRedirect: 'S3_BUCKET is in another region: check S3_ENDPOINT and S3_REGION',
  RequestTimeTooSkewed: "this machine's clock is wrong",
  SignatureDoesNotMatch: 'check S3_SECRET_ACCESS_KEY and S3_REGION',
};

/** An error of S3 is a few hundred bytes; what is far larger is none, and must not fill our memory. */
const MAX_BYTES = 65_536;

export async function readTrouble(what: string, response: Response): Promise<S3Trouble> {
  const { status } = response;
  const code = /<Code>(\w{1,64})<\/Code>/.exec(await readBounded(response))?.[1] ?? '';
  const advice = ADVICE[code] ? `: ${ADVICE[code]}` : '';
  return {
    error: new Error(`S3 storage: ${what} failed with ${status}${code && ` ${code}`}${advice}`),
    mayPass: status >= 500 || status === 429 || code === 'RequestTimeout',
    isMissing: status === 404 && code !== 'NoSuchBucket',
  };
}

/** The code alone: the text of a network error may repeat a header, and a header holds our signature. */
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
