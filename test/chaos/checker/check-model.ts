import { type ModelCard, newModelCard, type Suspense } from '../../model/card.ts';
import type { Call, Clearing, Message, Refund, Reversal } from '../../model/messages.ts';
import { matches, predictUnmatched } from '../../model/predict.ts';
import { type Attempt, replay, type Sent } from '../../model/replay.ts';
import { agreementFindings, readJournals } from '../../support/database/model-agreement.ts';
import { journalFindings, ledgerFindings } from '../../support/database/money-checks.ts';
import { BLOCK_REASON } from '../stories.ts';
import { TERMS } from '../terms.ts';
import type { Request } from './check-effects.ts';
import type { Report } from './finding.ts';
import { groupBy, type Row, type Rows } from './rows.ts';
import { storedAnswer } from './stored-answer.ts';

/** Replays every card's journal in the model, and compares the database with the model. */
export async function checkModel(
  databaseUrl: string,
  requests: readonly Request[],
  rows: Rows,
  report: Report,
): Promise<void> {
  const journals = await readJournals(databaseUrl);
  const ofCard = groupBy(requests, ({ args }) => args.card as string | undefined);
  // Authorizations and refunds share one space of ids.
  const kindsOf = (kind: string) => (kind === 'transaction' ? ['authorization', 'refund'] : [kind]);
  const stored = new Map(
    rows.messages.flatMap((row) =>
      kindsOf(row['kind']).map((kind) => [`${kind}/${row['message_id']}`, row] as const),
    ),
  );
  const adjustments = groupBy(rows.adjustments, (row) => row['card_id'] as string);
  const credentials = groupBy(rows.credentials, (row) => row['card_id'] as string);
  const cards = new Map<string, ModelCard>();
  for (const row of rows.cards) {
    const cardId = row['id'] as string;
    const card = modelOf(row, credentials.get(cardId)?.[0], adjustments.get(cardId) ?? []);
    cards.set(cardId, card);
    const sent = (ofCard.get(cardId) ?? []).flatMap((request) => sentOf(request, stored));
    const wallet = (credentials.get(cardId) ?? []).map((_, index) => walletAt(index));
    for (const text of replay({ cardId, card, wallet, sent }, journals.get(cardId) ?? []))
      report('responses follow from the journal', text);
  }
  const suspense = suspenseOf(ofCard.get(undefined) ?? [], stored, report);
  for (const text of await agreementFindings(databaseUrl, cards, TERMS, suspense))
    report('money adds up', text);
  for (const text of await ledgerFindings(databaseUrl)) report('money adds up', text);
  for (const text of await journalFindings(databaseUrl)) report('the journal is whole', text);
}

/** The messages about numbers that no card has; each clearing or refund has at most one reversal. */
function suspenseOf(requests: readonly Request[], stored: Map<string, Row>, report: Report): Suspense {
  const suspense: Suspense = new Map();
  const sent = requests.filter(({ args }) => args.message).flatMap((request) => sentOf(request, stored));
  const isReversal = ({ what }: Sent) => what.kind === 'reversal';
  for (const { what, stored: answer } of [
    ...sent.filter((each) => !isReversal(each)),
    ...sent.filter(isReversal),
  ]) {
    if (!answer) continue;
    const unmatched = what as Clearing | Refund | Reversal;
    const { expected, apply } = predictUnmatched(suspense, unmatched, TERMS, 0);
    if (!matches(expected, answer))
      report('responses follow from the journal', `${unmatched.kind} ${unmatched.id} of an unknown number`);
    apply();
  }
  return suspense;
}

/** The history names a card number by its index in the wallet, and no story shows a CVV. */
const walletAt = (index: number) => ({ number: String(index), cvv: '' });

/** An adjustment has no event, so its order among the purchases is unknown. */
function modelOf(card: Row, credential: Row | undefined, adjustments: readonly Row[]): ModelCard {
  const expiryDate = credential?.['expiry_date'] ?? '';
  const model = newModelCard(TERMS, card['spend_limit_minor'], { ...walletAt(0), expiryDate });
  model.givenMinor.push(...adjustments.map((row) => row['amount_minor'] as bigint));
  model.areFundsUncertain = adjustments.length > 0;
  return model;
}

const CALLS: Record<string, Call> = {
  freeze: { kind: 'freeze', freeze: true },
  unfreeze: { kind: 'freeze', freeze: false },
  block: { kind: 'block', reason: BLOCK_REASON },
  reissue: { kind: 'reissue' },
};

function sentOf({ operation, id, args, attempts }: Request, stored: Map<string, Row>): Sent[] {
  const tries = attempts
    .filter(({ outcome }) => outcome !== 'refused')
    .map(({ invokedAt, returnedAt, outcome, status, answer }): Attempt => {
      return { invokedAt, returnedAt, status: outcome === 'ok' ? status : null, body: answer };
    });
  if (tries.length === 0) return [];
  const call = CALLS[operation];
  // A freeze has no id: each try may take effect by itself.
  if (call)
    return call.kind === 'reissue'
      ? [{ what: call, attempts: tries }]
      : tries.map((one) => ({ what: call, attempts: [one] }));
  if (!args.message) return [];
  const { billMinor, ...message } = args.message;
  const what = { ...message, ...(billMinor !== undefined && { billMinor: BigInt(billMinor) }) } as Message;
  const row = stored.get(`${operation}/${id}`);
  return [{ what, attempts: tries, ...(row && { stored: storedAnswer(operation, row, args.message) }) }];
}
