import type {
  AuthenticationAnswer,
  AuthenticationDecisionRequest,
  AuthorizationDecisionRequest,
  BalanceAnswer,
  BalanceDecisionRequest,
  DecisionAnswer,
  OtpRequest,
} from './generated/types.ts';
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

/** The requests to a decision endpoint, by its kind. `eventName` tells those of one kind apart. */
export interface DecisionRequests {
  authorization: AuthorizationDecisionRequest | BalanceDecisionRequest;
  authentication: AuthenticationDecisionRequest;
  otp: OtpRequest;
}

export interface DecisionOptions<Kind extends keyof DecisionRequests> extends VerifyOptions {
  /** The kind of the endpoint. Default: `authorization`. */
  kind?: Kind | undefined;
}

/**
 * Answers a request from Emboss whether to approve an authorization or an authentication, or which balance an inquiry shows.
 * Send the answer as JSON with status 200. For an endpoint of kind `otp`, status 200 means that you sent the one-time password; any other, that you did not.
 */
export const decisions = {
  /**
   * Returns the question after verifying that Emboss sent it, with the rules of `verifyWebhook`. `eventId` is the same
   * in each retry: give the same answer.
   */
  async handle<Kind extends keyof DecisionRequests = 'authorization'>(
    request: SignedRequest,
    secrets: string | readonly string[],
    options: DecisionOptions<Kind> = {},
  ): Promise<DecisionRequests[Kind]> {
    const { kind = 'authorization' } = options;
    const question = await verifySigned(await bodyOf(request), request.headers, secrets, options);
    const names: unknown[] = [`${kind}.request`, ...(kind === 'authorization' ? ['balance.request'] : [])];
    if (!('eventName' in question) || !names.includes(question.eventName))
      throw new WebhookError(`body: the signature is valid, but the body is not the request of kind ${kind}`);
    return question as DecisionRequests[Kind];
  },

  approve({ approvedAmount, ...options }: ApproveOptions = {}): DecisionAnswer {
    const amount = approvedAmount === undefined ? {} : { approved_amount: approvedAmount };
    return { decision: 'APPROVE', ...amount, ...options };
  },

  /** The answer to a balance inquiry, `balance.request`: a decimal in `bill_currency`, also below zero. */
  balance(availableAmount: string): BalanceAnswer {
    return { available_amount: availableAmount };
  },

  /** For an authentication only: the cardholder must prove it. */
  challenge(options: Pick<AnswerOptions, 'reference'> = {}): AuthenticationAnswer {
    return { decision: 'CHALLENGE', ...options };
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
