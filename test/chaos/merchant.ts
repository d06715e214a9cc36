import type { IncomingMessage, ServerResponse } from 'node:http';

/** The time limit of a decision in a run. */
export const TIMEOUT_MS = 300;
/** How far around the limit the late answers are spread. */
const AROUND_MS = 40;

const json = (answer: object): string => JSON.stringify(answer);
const APPROVE = json({ decision: 'APPROVE', reference: 'chaos' });
const REASONS = ['insufficient_funds', 'limit_exceeded', 'merchant_not_allowed', 'suspected_fraud', 'other'];
const NONSENSE = [
  '',
  '{',
  'null',
  '[]',
  json({ decision: 'MAYBE' }),
  json({ decision: 1 }),
  'x'.repeat(5_000),
];

/** Decides in every faulty way: late, never, twice, or with an invalid response. */
export function decide(
  question: string,
  { socket }: IncomingMessage,
  response: ServerResponse,
  random: () => number,
): void {
  const end = (body: string, status = 200) => void response.writeHead(status).end(body);
  const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const { bill_amount, partial_approval_allowed } = JSON.parse(question).data;
  const part = (Number(bill_amount) / 2).toFixed(2);
  const chance = random();
  if (chance < 0.6) end(APPROVE);
  else if (chance < 0.75) end(json({ decision: 'DECLINE', reason: oneOf(REASONS) }));
  else if (chance < 0.82 && partial_approval_allowed && Number(part) > 0)
    end(json({ decision: 'APPROVE', approved_amount: part }));
  // Every number of milliseconds around the limit.
  else if (chance < 0.88) setTimeout(end, TIMEOUT_MS + AROUND_MS * (2 * random() - 1), APPROVE);
  else if (chance < 0.91) end(oneOf(NONSENSE));
  // More than a half: an amount that is out of range.
  else if (chance < 0.93) end(json({ decision: 'APPROVE', approved_amount: `${bill_amount}1` }));
  else if (chance < 0.95) end('', oneOf([500, 502, 503, 302]));
  else if (chance < 0.97) socket.destroy();
  else if (chance < 0.985) {
    // Two responses to one request: the first counts.
    const length = Buffer.byteLength(APPROVE);
    const whole = `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n${APPROVE}`;
    socket.write(whole + whole.replace('APPROVE', 'DECLINE'));
  }
  // Otherwise it hangs.
}
