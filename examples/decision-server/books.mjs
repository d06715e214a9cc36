import { decisions, formatAmount, parseAmount } from '@emboss/sdk';

/** Events that end a question: from then on, the events say what the purchase takes. */
const DECIDED = new Set(['authorization', 'authorization.declined', 'authorization.increment']);

/**
 * The merchant's own books. The rule:
 *
 *   available = deposits - what each transaction takes - what is reserved
 *
 * - A transaction takes the `taken_amount` of its event with the highest `sequence`: held, cleared, and fees. Nothing is
 *   added up, so events may arrive twice and in any order.
 * - An approval reserves its amount until the event of its message arrives, approved or declined.
 *
 * Amounts are whole minor units. This example keeps everything in memory; keep yours in a database, and lock the customer's
 * row while you decide.
 *
 * @param {Iterable<[customerId: string, minor: bigint]>} deposits
 */
export function createBooks(deposits) {
  /** By customer. */
  const available = new Map(deposits);
  /** By transaction: the highest sequence, and what it takes. */
  const transactions = new Map();
  /** By message: the customer and the amount. */
  const reservations = new Map();
  /** Messages whose event has arrived. */
  const decided = new Set();
  /** By message. */
  const answers = new Map();

  const add = (customerId, minor) => available.set(customerId, (available.get(customerId) ?? 0n) + minor);

  function release(message) {
    const reserved = reservations.get(message);
    if (!reserved) return;
    reservations.delete(message);
    add(reserved.customerId, reserved.minor);
  }

  function decide(message, { external_customer_id: customerId, ...data }) {
    const toMinor = (amount) => parseAmount(amount, data.bill_currency);
    const reserve = (minor) => {
      // The event can be here first: Emboss waits for a limited time only.
      if (decided.has(message)) return;
      reservations.set(message, { customerId, minor });
      add(customerId, -minor);
    };
    const haveMinor = available.get(customerId) ?? 0n;
    const holdMinor = toMinor(data.hold_amount);
    if (holdMinor <= haveMinor) {
      reserve(holdMinor);
      return decisions.approve();
    }
    const partMinor = toMinor(data.bill_amount) - (holdMinor - haveMinor);
    if (!data.partial_approval_allowed || haveMinor <= 0n || partMinor <= 0n)
      return decisions.decline('insufficient_funds');
    // The fees on a part are at most those on the whole, so what is there is enough for both.
    reserve(haveMinor);
    return decisions.approve({ approvedAmount: formatAmount(partMinor, data.bill_currency) });
  }

  return {
    /**
     * The answer to a question. A repeated question gets the same answer, and reserves nothing again; one about another
     * amount is a new one.
     */
    answer({ data }) {
      const message = messageOf(data.external_transaction_id, data.increment_id);
      const known = answers.get(message);
      if (known?.holdAmount === data.hold_amount) return known.answer;
      release(message);
      const answer = decide(message, data);
      answers.set(message, { holdAmount: data.hold_amount, answer });
      return answer;
    },

    /** Corrects the books by an event of type `transaction`. */
    apply(customerId, { eventName, data }) {
      if (DECIDED.has(eventName)) {
        const message = messageOf(data.external_transaction_id, data.message_id);
        decided.add(message);
        release(message);
      }
      const known = transactions.get(data.transaction_id) ?? { sequence: 0, minor: 0n };
      if (data.sequence <= known.sequence) return;
      const minor = parseAmount(data.taken_amount, data.bill_currency);
      transactions.set(data.transaction_id, { sequence: data.sequence, minor });
      add(customerId, known.minor - minor);
    },

    balanceOf(customerId) {
      const own = [...reservations.values()].filter((reserved) => reserved.customerId === customerId);
      const reservedMinor = own.reduce((sum, { minor }) => sum + minor, 0n);
      return { availableMinor: available.get(customerId) ?? 0n, reservedMinor };
    },
  };
}

/** An authorization or an increment of it. The event of an authorization has its own id as `message_id`. */
const messageOf = (transactionId, messageId = transactionId) => `${transactionId} ${messageId}`;
