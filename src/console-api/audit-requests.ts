import { Readable } from 'node:stream';
import { audit } from '../audit/audit.ts';
import { findTransactionCards } from '../authorizations/transactions/queries.ts';
import type { Database } from '../db/database.ts';
import { declaredOnly } from '../http/body.ts';
import type { App } from '../http/server.ts';
import { maskCardNumbers } from '../kernel/card-numbers.ts';
import { isId } from '../kernel/ids.ts';
import { isCleanText } from '../kernel/text.ts';
import { countInWindows } from '../kernel/window-counts.ts';
import { type Access, accessOf } from '../programs/access.ts';
import { actorOf } from '../programs/actor.ts';

/** An open page repeats its requests. The audit records the same view by the same operator once in this time. */
const SAME_VIEW_MS = 300_000;
const MOST_VIEWS = 10_000;

type Fields = Record<string, unknown>;

/** Writes the audit entries that routes declare in their `config`, for the actions and the views of operators. */
export function auditRequests(app: App, db: Database): void {
  // Runs after validation and before the handler, so that no action happens without an entry.
  app.addHook('preHandler', async (request) => {
    const declared = accessOf(request).audit;
    if (declared && !declared.ifAnswered) await writeDeclared(db, declared, request);
  });

  // The handler of an export can still refuse it. No row is sent without an entry.
  app.addHook('onSend', async (request, reply, content) => {
    if (reply.statusCode !== 200 || request.method !== 'GET') return content;
    const declared = accessOf(request).audit;
    if (!declared?.ifAnswered) return content;
    try {
      await writeDeclared(db, declared, request);
    } catch (error) {
      if (content instanceof Readable) content.destroy();
      throw error;
    }
    return content;
  });

  const lately = countInWindows(SAME_VIEW_MS, MOST_VIEWS);
  // Requests of unattended pages (x-unattended) are audited too, because only the browser sets that header.
  app.addHook('preSerialization', async (request, reply, answer) => {
    const { auditView } = accessOf(request);
    if (!auditView || reply.statusCode !== 200) return answer;
    const view = auditView(answer as never, request.query as never);
    if (!view) return answer;
    const { action, ...details } = view;
    const actor = actorOf(request);
    const key = JSON.stringify([actor.name, actor.program.id, action, details]);
    if (lately.read(key, performance.now()) > 0) return answer;
    await db.transaction((tx) => audit(tx, actor, action, details));
    lately.add(key, performance.now());
    return answer;
  });
}

interface Given {
  query: unknown;
  body: unknown;
  params: unknown;
  routeOptions: { schema?: { body?: unknown } };
}

async function writeDeclared(
  db: Database,
  declared: NonNullable<Access['audit']>,
  request: Given & Parameters<typeof actorOf>[0],
): Promise<void> {
  const actor = actorOf(request);
  const schema = request.routeOptions.schema?.body;
  const body = (schema ? declaredOnly(schema, request.body) : {}) as Fields;
  const given: Fields = {
    ...masked(request.query as Fields),
    ...body,
    ...readable(request.params as Fields),
  };
  const fields = declared.fields?.filter((field) => given[field] !== undefined) ?? [];
  const after = Object.fromEntries(fields.map((field) => [field, given[field]]));
  const cardId = await cardOf(db, actor.program.id, body);
  await db.transaction((tx) => audit(tx, actor, declared.action, { cardId, after }));
}

/** A search may contain a card number. */
const masked = (query: Fields): Fields =>
  Object.fromEntries(
    Object.entries(query).map(([name, given]) => [
      name,
      typeof given === 'string' ? maskCardNumbers(given) : given,
    ]),
  );

const LONGEST_ID = 64;

/** A path may contain any text. The audit stores only texts that can be an id. */
const readable = (params: Fields): Fields =>
  Object.fromEntries(
    Object.entries(params).map(([name, given]) => {
      const text = String(given);
      return [name, isCleanText(text) && text.length <= LONGEST_ID ? maskCardNumbers(text) : '[no id]'];
    }),
  );

/** The card whose history shows the entry: the given card, or the card of the given transaction. */
async function cardOf(
  db: Database,
  programId: string,
  { card_id: cardId, transaction_id: transactionId }: Fields,
): Promise<string | null> {
  if (typeof cardId === 'string') return isId(cardId) ? cardId : null;
  if (typeof transactionId !== 'string' || !isId(transactionId)) return null;
  const [found] = await findTransactionCards(db, programId, [transactionId]);
  return found?.cardId ?? null;
}
