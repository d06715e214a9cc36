import type { AuthorizationRequest, IncrementRequest, MerchantDecision } from '../core/message.ts';
import type { BatchItem } from './batch-state.ts';
import { timedOut } from './run-batch.ts';

type Decision = MerchantDecision | undefined;

interface Shared {
  digest: Buffer;
  decision: Promise<Decision>;
  /** The first copy is recorded, or has failed. */
  ended: Promise<void>;
}

/** Call `release` when the message is recorded, or has failed. */
interface SharedDecision {
  decision: Decision;
  release: () => void;
}

/**
 * Copies of a message that arrive before the first one is recorded use its decision, so the merchant gets one request.
 * A message with another content under the same id waits until the first one has ended, and then finds its record. Each
 * entry leaves with its first copy, so there are never more entries than messages in flight.
 */
export function shareDecisions(
  decide: (programId: string, item: BatchItem) => Promise<Decision>,
): (
  programId: string,
  message: AuthorizationRequest | IncrementRequest,
  item: BatchItem,
) => Promise<SharedDecision> {
  const sharedByKey = new Map<string, Shared>();

  async function decideFirst(key: string, digest: Buffer, deciding: Promise<Decision>) {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    sharedByKey.set(key, { digest, decision: deciding, ended });
    const release = () => {
      sharedByKey.delete(key);
      end();
    };
    const decision = await deciding.catch((error: unknown) => {
      release();
      throw error;
    });
    if (decision) return { decision, release };
    release();
    return NOT_NEEDED;
  }

  return async (programId, { kind, messageId, content }, item) => {
    const key = JSON.stringify([programId, kind, messageId]);
    while (performance.now() < item.deadline) {
      const first = sharedByKey.get(key);
      if (!first) return decideFirst(key, content.digest, decide(programId, item));
      if (!content.matches(first.digest)) await first.ended;
      else {
        // The first copy may have failed by its own deadline: this one then tries by itself.
        const shared = await first.decision.then(
          (decision) => ({ decision, release: () => {} }),
          () => undefined,
        );
        if (shared) return shared;
      }
    }
    throw timedOut();
  };
}

const NOT_NEEDED: SharedDecision = { decision: undefined, release: () => {} };
