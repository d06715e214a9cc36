import { CARDS, consumerCard } from './cards.ts';
import { MERCHANT_KEY } from './server-process.ts';

/** One card that a client wants, under one Idempotency-Key, however often it has to ask. */
export interface Order {
  key: string;
  /** Answers with this order's card, in the order they came. More than one id is a double. */
  acknowledged: string[];
  /** Attempts whose outcome the client could not know: the connection was cut, or the answer was a 5xx. */
  unknown: number;
  /** The first answer was a replay: an attempt of unknown outcome had committed after all. */
  foundLater: boolean;
}

export interface Crowd {
  orders: Order[];
  /** Answers that are neither success nor "ask again": there must be none. */
  surprises: string[];
  inFlight: Set<Order>;
  acknowledged(): number;
  /** Lets every client finish what it has begun, unknown outcomes included. */
  finish(): Promise<void>;
}

/** Clients that want one card after another and ask again, later, for what they did not hear about. */
export function startCrowd(url: string, clients: number): Crowd {
  const orders: Order[] = [];
  const again: Order[] = [];
  const surprises: string[] = [];
  const inFlight = new Set<Order>();
  let acknowledged = 0;
  let finishing = false;
  const healthy = shared(() => untilHealthy(url));

  async function client(): Promise<void> {
    for (;;) {
      const order = again.shift() ?? (finishing ? undefined : newOrder(orders));
      if (!order) return;
      inFlight.add(order);
      const outcome = await ask(url, order);
      inFlight.delete(order);
      if (outcome === 'acknowledged') acknowledged++;
      if (typeof outcome === 'object') surprises.push(outcome.surprise);
      if (outcome !== 'unknown') continue;
      order.unknown++;
      again.push(order);
      await healthy();
    }
  }

  const running = Array.from({ length: clients }, client);
  return {
    orders,
    surprises,
    inFlight,
    acknowledged: () => acknowledged,
    finish: async () => {
      finishing = true;
      await Promise.all(running);
      // One client may have put an order back after the others had gone home.
      await client();
    },
  };
}

function newOrder(orders: Order[]): Order {
  const order = { key: `order-${orders.length}`, acknowledged: [], unknown: 0, foundLater: false };
  orders.push(order);
  return order;
}

const bodyOf = (order: Order) =>
  consumerCard({ meta: { id: order.key, otpPhoneNumber: { dialCode: 44, phoneNumber: '7700900123' } } });

export async function ask(
  url: string,
  order: Order,
): Promise<'acknowledged' | 'unknown' | { surprise: string }> {
  try {
    const response = await fetch(url + CARDS, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-payments-api-key': MERCHANT_KEY,
        'idempotency-key': order.key,
      },
      body: JSON.stringify(bodyOf(order)),
    });
    const text = await response.text();
    if (response.status >= 500) return 'unknown';
    if (response.status !== 201) return { surprise: `${order.key}: ${response.status} ${text}` };
    const replayed = response.headers.get('idempotent-replayed') === 'true';
    if (order.acknowledged.length === 0) order.foundLater = replayed;
    else if (!replayed) return { surprise: `${order.key}: answered twice as if new` };
    order.acknowledged.push((JSON.parse(text) as { id: string }).id);
    return 'acknowledged';
  } catch {
    return 'unknown';
  }
}

async function untilHealthy(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resume) => setTimeout(resume, 20));
  }
}

/** Callers that come while one run is under way wait for that one. */
function shared(run: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  return () => {
    current ??= run().finally(() => {
      current = undefined;
    });
    return current;
  };
}
