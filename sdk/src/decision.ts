import type { AuthorizationDecisionRequest, DecisionAnswer } from './generated/types.ts';
import { type Headers, type VerifyOptions, verifySigned, WebhookError } from './webhook.ts';

/** A question takes about one kilobyte. */
const MOST_BYTES = 65_536;

/**
 * A request of Node's http, Express, Fastify or `fetch`. Without a `body`, or with one that is a stream, the bytes are
 * read from it.
 */
export interface SignedRequest {
  headers: Headers;
  body?: unknown;
}

/** Reasons that set the code that the network receives. Any other text is recorded. */
export type DecisionReason =
  | 'insufficient_funds'
  | 'limit_exceeded'
  | 'merchant_not_allowed'
  | 'suspected_fraud'
  | (string & {});

interface AnswerOptions {
  /** Your id of the decision, of at most 64 characters. */
  reference?: string | undefined;
  /** Up to 10 pairs of texts, each at most 100 characters. */
  metadata?: Record<string, string> | undefined;
}

interface ApproveOptions extends AnswerOptions {
  /** A decimal in `bill_currency`. Less than `bill_amount` only if `partial_approval_allowed`. Default: all of it. */
  approvedAmount?: string | undefined;
}

/** Answers Emboss when it asks whether to approve an authorization. Send the answer as JSON with status 200. */
export const decisions = {
  /**
   * Returns the question after verifying that Emboss sent it, with the rules of `verifyWebhook`. `eventId` is the same
   * each time the same question is asked: answer it the same.
   */
  async handle(
    request: SignedRequest,
    secrets: string | readonly string[],
    options?: VerifyOptions,
  ): Promise<AuthorizationDecisionRequest> {
    const question = await verifySigned(await bodyOf(request), request.headers, secrets, options);
    if (!('eventName' in question) || question.eventName !== 'authorization.request')
      throw new WebhookError('body: the signature is valid, but the body does not request a decision');
    return question as AuthorizationDecisionRequest;
  },

  approve({ approvedAmount, ...options }: ApproveOptions = {}): DecisionAnswer {
    const amount = approvedAmount === undefined ? {} : { approved_amount: approvedAmount };
    return { decision: 'APPROVE', ...amount, ...options };
  },

  decline(reason?: DecisionReason, options: AnswerOptions = {}): DecisionAnswer {
    return { decision: 'DECLINE', ...(reason === undefined ? {} : { reason }), ...options };
  },
};

async function bodyOf(request: SignedRequest): Promise<unknown> {
  const body = request.body ?? request;
  return isStream(body) ? readAll(body) : body;
}

const isStream = (body: object): body is AsyncIterable<Uint8Array | string> =>
  typeof body === 'object' && Symbol.asyncIterator in body;

async function readAll(stream: AsyncIterable<Uint8Array | string>): Promise<Uint8Array> {
  const bytes = new Uint8Array(MOST_BYTES);
  let size = 0;
  for await (const chunk of stream) {
    const part = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
    if (size + part.length > MOST_BYTES) throw new WebhookError(`body: must be at most ${MOST_BYTES} bytes`);
    bytes.set(part, size);
    size += part.length;
  }
  return bytes.subarray(0, size);
}
