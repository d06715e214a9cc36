import { keyOf } from '../../src/authorizations/engine/batch-state.ts';
import { recordKind } from '../../src/authorizations/engine/queries.ts';
import type { Database, Statement, Tx } from '../../src/db/database.ts';
import type { Guarantee } from './checker/finding.ts';
import type { Tampering } from './workspace.ts';

/** Faults that a developer might introduce. The checker must find every one of them. */
export interface PlantedFault extends Tampering {
  name: string;
  /** One of these must be found broken. */
  breaks: readonly Guarantee[];
  /** The injected faults that it needs to show. */
  faults: readonly string[];
  /** Whether it delays the return of a process. */
  judgeRecovery?: boolean;
  /** Exports of the program that are replaced when a process starts; see `plant.ts`. */
  replaced?: readonly Replacement[];
}

interface Replacement {
  /** A module of `src/`, without its ending. */
  file: string;
  exports: Record<string, (original: never) => unknown>;
}

/** Typed, so that a fault does not compile after its module has changed. */
const replace = <Module>(
  file: string,
  exports: { [Name in keyof Module]?: (original: Module) => Module[Name] },
): Replacement => ({ file, exports: exports as Replacement['exports'] });

type Accounts = typeof import('../../src/ledger/queries.ts');
type AuditQueries = typeof import('../../src/audit/queries.ts');
type Authenticate = typeof import('../../src/programs/authenticate.ts');
type Batch = typeof import('../../src/authorizations/engine/apply-message.ts');
type Databases = typeof import('../../src/db/database.ts');
type Decide = typeof import('../../src/authorizations/core/decide.ts');
type Deliveries = typeof import('../../src/events/delivery-queries.ts');
type Idempotency = typeof import('../../src/http/queries.ts');
type Journal = typeof import('../../src/events/journal.ts');
type Movements = typeof import('../../src/authorizations/core/movements.ts');
type Counters = typeof import('../../src/cards/counter-queries.ts');
type Queries = typeof import('../../src/authorizations/engine/queries.ts');
type Reversals = typeof import('../../src/authorizations/core/apply-reversal.ts');
type Reports = typeof import('../../src/reports/report-queries.ts');
type Requests = typeof import('../../src/reports/read-request.ts');
type Retry = typeof import('../../src/webhooks/retry.ts');
type Sign = typeof import('../../src/outbound/sign.ts');
type Transactions = typeof import('../../src/authorizations/transactions/queries.ts');
type Transfers = typeof import('../../src/ledger/post-transfers.ts');

const CALM = ['cut clients'];
const REMEMBERED_MS = 3_000;
/** As on a slow disk. */
const SLOW_COMMITS = { commit_delay: '100000', commit_siblings: '0' };

type Transaction = Database['transaction'];
const inDatabase = (wrap: (transaction: Transaction) => Transaction) =>
  replace<Databases>('db/database', {
    openDatabase:
      ({ openDatabase }) =>
      (options) => {
        const db = openDatabase(options);
        return { ...db, transaction: wrap(db.transaction) };
      },
  });

/** For what is to be written in a transaction of its own, a moment later. */
let ownTransaction: Transaction;
const openOwnTransactions = inDatabase((transaction) => {
  ownTransaction = transaction;
  return transaction;
});
const later = (ms: number, write: (tx: Tx) => void): void => {
  setTimeout(() => void ownTransaction(async (tx) => write(tx)).catch(() => {}), ms);
};

/** A transaction whose statements are sent with another text. */
const reworded = (tx: Tx, change: (text: string) => string): Tx => {
  const other = ({ text }: Statement): Statement => ({ text: change(text) });
  return {
    query: (statement: Statement, values?: readonly unknown[]) => tx.query(other(statement), values),
    send: (statement: Statement, values?: readonly unknown[]) => tx.send(other(statement), values),
  } as Tx;
};

/** What was found for a key, for some seconds. */
function remembering<Value>() {
  const kept = new Map<string, { value: Value; until: number }>();
  return {
    find: (key: string): Value | undefined => {
      const found = kept.get(key);
      return found && found.until > Date.now() ? found.value : undefined;
    },
    keep: (key: string, value: Value) => void kept.set(key, { value, until: Date.now() + REMEMBERED_MS }),
  };
}

const rememberedKey = (remembered: string) =>
  replace<Authenticate>('programs/authenticate', {
    createAuthenticator:
      ({ createAuthenticator }) =>
      (services, kind) => {
        const authenticate = createAuthenticator(services, kind);
        const known = remembering<Awaited<ReturnType<typeof authenticate>>>();
        if (kind !== remembered) return authenticate;
        return async (header, ip) => {
          const found = known.find(String(header)) ?? (await authenticate(header, ip));
          known.keep(String(header), found);
          return found;
        };
      },
  });

/** A fault that shows without any but the usual disturbance. */
const inCalm = (name: string, broken: Guarantee, ...replaced: Replacement[]): PlantedFault => ({
  name,
  breaks: [broken],
  faults: CALM,
  replaced,
});

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: 'synchronous_commit off',
    breaks: ['acknowledged is present'],
    faults: ['kill PostgreSQL'],
    postgresSettings: { synchronous_commit: 'off', wal_writer_delay: '5s' },
  },
  {
    name: 'acknowledged before the commit',
    breaks: ['acknowledged is present'],
    faults: ['kill PostgreSQL'],
    postgresSettings: SLOW_COMMITS,
    replaced: [
      inDatabase((transaction) => (work, patience) => {
        return new Promise((resolve, reject) => {
          const early = async (tx: Tx) => {
            const result = await work(tx);
            resolve(result);
            return result;
          };
          transaction(early, patience).catch(reject);
        });
      }),
    ],
  },
  {
    name: 'a lost answer of the database is reported as a refusal',
    breaks: ['refused is absent'],
    faults: ['cut the database'],
    postgresSettings: SLOW_COMMITS,
    replaced: [
      inDatabase((transaction) => async (work, patience) => {
        let isWorkDone = false;
        const noted = async (tx: Tx) => {
          const result = await work(tx);
          isWorkDone = true;
          return result;
        };
        return transaction(noted, patience).catch((error) => {
          throw isWorkDone ? Object.assign(error, { httpStatus: 400, code: 400 }) : error;
        });
      }),
    ],
  },
  {
    name: 'a missing lock',
    breaks: ['no card beyond its credit', 'the journal is whole'],
    faults: CALM,
    replaced: [
      replace<Counters>('cards/counter-queries', {
        lockCounters:
          ({ lockCounters }) =>
          (tx, ...args) =>
            lockCounters(
              reworded(tx, (text) => text.replace(/for update.*/, '')),
              ...args,
            ),
      }),
    ],
  },
  inCalm(
    'credit that is not checked',
    'no card beyond its credit',
    replace<Decide>('authorizations/core/decide', {
      decide:
        ({ decide }) =>
        (request, facts, ...rest) =>
          decide(request, { ...facts, neededMinor: 0n }, ...rest),
    }),
  ),
  inCalm(
    'a time-out that undoes an advice',
    'responses follow from the journal',
    replace<Reversals>('authorizations/core/apply-reversal', {
      applyReversal:
        ({ applyReversal }) =>
        (request, { transaction, ...facts }, setting) =>
          applyReversal(request, { ...facts, transaction: { ...transaction, advised: false } }, setting),
    }),
  ),
  {
    name: 'an event written outside the transaction',
    breaks: ['unknown is wholly in or out', 'every event delivered'],
    faults: ['kill a server'],
    replaced: [
      openOwnTransactions,
      replace<Journal>('events/journal', {
        recordEvents:
          ({ recordEvents }) =>
          (_tx, ...args) =>
            later(300, (tx) => recordEvents(tx, ...args)),
      }),
    ],
  },
  {
    name: 'declines without an event',
    breaks: ['unknown is wholly in or out', 'every event delivered'],
    faults: CALM,
    replaced: [
      replace<Journal>('events/journal', {
        recordEvents:
          ({ recordEvents }) =>
          (tx, programId, events, nowMs) => {
            const sent = events.filter(({ eventName }) => eventName !== 'authorization.declined');
            recordEvents(tx, programId, sent, nowMs);
          },
      }),
    ],
  },
  {
    name: 'an adjustment in two transactions',
    breaks: ['unknown is wholly in or out'],
    faults: ['kill a server'],
    replaced: [
      openOwnTransactions,
      replace<Transfers>('ledger/post-transfers', {
        postTransfers:
          ({ postTransfers }) =>
          (tx, programId, transfers, nowMs) => {
            const isAdjustment = transfers.some(({ code }) => code === 'adjustment');
            if (!isAdjustment) return postTransfers(tx, programId, transfers, nowMs);
            return later(2_000, (own) => postTransfers(own, programId, transfers, nowMs));
          },
      }),
    ],
  },
  inCalm(
    'a message that is decided twice',
    'one effect per id',
    replace<Batch>('authorizations/engine/apply-message', {
      applyMessage:
        ({ applyMessage }) =>
        (state, message, cvvMatches) => {
          if ('messageId' in message)
            state.messages.delete(keyOf(recordKind(message.kind), message.messageId));
          return applyMessage(state, message, cvvMatches);
        },
    }),
    replace<Queries>('authorizations/engine/queries', {
      insertMessages:
        ({ insertMessages }) =>
        (tx, ...args) =>
          insertMessages(
            reworded(tx, (text) => `${text} on conflict do nothing`),
            ...args,
          ),
    }),
  ),
  inCalm(
    'a response that differs the second time',
    'one effect per id',
    replace<Batch>('authorizations/engine/apply-message', {
      applyMessage:
        ({ applyMessage }) =>
        (state, message, cvvMatches) => {
          const key = 'messageId' in message ? keyOf(recordKind(message.kind), message.messageId) : '';
          const isCopy = state.messages.get(key)?.requestDigest;
          const result = applyMessage(state, message, cvvMatches);
          if (isCopy && result.kind === 'response')
            Object.assign(result.response as object, { approvalCode: '000000' });
          return result;
        },
    }),
  ),
  {
    name: 'idempotency keys that are forgotten',
    breaks: ['one effect per id'],
    faults: ['half-open clients'],
    replaced: [
      replace<Idempotency>('http/queries', {
        findIdempotencyRecord: () => async () => undefined,
        insertIdempotencyRecord:
          ({ insertIdempotencyRecord }) =>
          async (...args) => {
            await insertIdempotencyRecord(...args);
            return true;
          },
      }),
    ],
  },
  inCalm(
    'a revoked key of a merchant that is remembered',
    'key revocation is a barrier',
    rememberedKey('merchant'),
  ),
  inCalm(
    'a revoked key of a network that is remembered',
    'key revocation is a barrier',
    rememberedKey('network'),
  ),
  inCalm(
    "a card's status that is remembered",
    'responses follow from the journal',
    replace<Counters>('cards/counter-queries', {
      readCards: ({ readCards }) => {
        const known = remembering<Awaited<ReturnType<typeof readCards>>[number]['status']>();
        return async (...args) => {
          const cards = await readCards(...args);
          for (const card of cards) {
            const status = known.find(card.cardId);
            if (status === undefined) known.keep(card.cardId, card.status);
            else card.status = status;
          }
          return cards;
        };
      },
    }),
  ),
  inCalm(
    'the number before a reissue still works',
    'responses follow from the journal',
    replace<Decide>('authorizations/core/decide', {
      decide:
        ({ decide }) =>
        ({ card: _anyNumber, ...request }, facts, today) =>
          decide({ ...request, card: undefined }, facts, today),
    }),
  ),
  inCalm(
    'an account that is left out',
    'money adds up',
    replace<Accounts>('ledger/queries', {
      addToAccounts:
        ({ addToAccounts }) =>
        (tx, programId, deltas) =>
          addToAccounts(
            tx,
            programId,
            deltas.filter(([id]) => !id.endsWith('-000000000008')),
          ),
    }),
  ),
  inCalm(
    'a fee that is rounded away',
    'money adds up',
    replace<Movements>('authorizations/core/movements', {
      clearedTransfers:
        ({ clearedTransfers }) =>
        (movementId, billMinor, { fxMinor, atmMinor }) =>
          clearedTransfers(movementId, billMinor, { fxMinor: (fxMinor / 10n) * 10n, atmMinor }),
    }),
  ),
  inCalm(
    'an error of the receiver that counts as delivered',
    'every event delivered',
    replace<Retry>('webhooks/retry', {
      outcomeOf:
        ({ outcomeOf }) =>
        (result) =>
          'statusCode' in result ? 'delivered' : outcomeOf(result),
    }),
  ),
  {
    name: 'a delivery that counts as made when it is begun',
    breaks: ['every event delivered'],
    faults: ['kill a worker'],
    replaced: [
      replace<Deliveries>('events/delivery-queries', {
        claimDeliveries:
          ({ claimDeliveries }) =>
          async (db, endpoint, ...args) => {
            const claimed = await claimDeliveries(db, endpoint, ...args);
            const text = `update webhook_deliveries set due_at = null, status = 'DELIVERED'
                          where program_id = $1 and endpoint_id = $2 and event_id = any ($3)`;
            await db.query({ text }, [
              endpoint.programId,
              endpoint.id,
              claimed.map(({ eventId }) => eventId),
            ]);
            return claimed;
          },
      }),
    ],
  },
  inCalm(
    'an event with another id at every try',
    'nothing made up',
    replace<Sign>('outbound/sign', {
      signatureHeaders:
        ({ signatureHeaders }) =>
        (message) => {
          const end = String(Math.random()).slice(2, 14).padEnd(12, '0');
          return { ...signatureHeaders(message), 'webhook-id': message.id.slice(0, 24) + end };
        },
    }),
  ),
  inCalm(
    'a link minted early',
    'links are fresh',
    replace<Requests>('reports/read-request', {
      completeFileData: ({ completeFileData }) => {
        const early = new Map<string, ReturnType<typeof completeFileData>>();
        return (services, programId, referenceId) => {
          const data = early.get(referenceId) ?? completeFileData(services, programId, referenceId);
          early.set(referenceId, data);
          return data;
        };
      },
    }),
  ),
  inCalm(
    'a report without its first row',
    'reports recomputed',
    replace<Reports>('reports/report-queries', {
      reportQuery:
        ({ reportQuery }) =>
        (scope) =>
          `${reportQuery(scope)} offset 1`,
    }),
  ),
  {
    name: 'a migration in two transactions',
    breaks: ['a migration is whole or absent'],
    faults: ['interrupted migration'],
    migration: `create table chaos_release (step integer primary key);
insert into chaos_release values (1);
commit;
begin;
select pg_sleep(1) from chaos_release;
alter table chaos_release add column note text;
insert into chaos_release values (2, 'done');
`,
  },
  inCalm(
    'an audit entry that is not linked',
    'the audit is one chain',
    replace<AuditQueries>('audit/queries', {
      takeUnlinked:
        ({ takeUnlinked }) =>
        async (...args) => {
          const ids = await takeUnlinked(...args);
          return ids.slice(ids.length > 1 ? 1 : 0);
        },
    }),
  ),
  inCalm(
    'a hold that is forgotten',
    'comes to rest',
    replace<Transactions>('authorizations/transactions/queries', {
      listHolds:
        ({ listHolds }) =>
        async (...args) => {
          const holds = await listHolds(...args);
          const first = holds.find(({ held }) => held);
          return holds.map((hold) => (hold === first ? { ...hold, held: false } : hold));
        },
    }),
  ),
  {
    name: 'a server that says it is ready before it is',
    breaks: ['first success within 2 s'],
    faults: ['kill a server'],
    judgeRecovery: true,
    replaced: [
      replace<Authenticate>('programs/authenticate', {
        createAuthenticator:
          ({ createAuthenticator }) =>
          (services, kind) => {
            const authenticate = createAuthenticator(services, kind);
            return async (...args) => {
              const restMs = 12_000 - process.uptime() * 1_000;
              await new Promise((done) => setTimeout(done, Math.max(0, restMs)));
              return authenticate(...args);
            };
          },
      }),
    ],
  },
];
