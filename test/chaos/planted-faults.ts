import type { Guarantee } from './checker/finding.ts';
import type { Tampering } from './room.ts';

/** Faults that somebody might build in one day, each in a copy of the program. The checker must find every one of them. */
export interface PlantedFault extends Tampering {
  name: string;
  /** One of these must be found broken. */
  breaks: readonly Guarantee[];
  /** What the nemesis does for it to show. */
  faults: readonly string[];
  /** Whether what shows it is how soon a process is back. */
  judgeRecovery?: boolean;
}

const CALM = ['cut clients'];
const REMEMBERED_MS = 3_000;
/** As on a slow disk. */
const SLOW_COMMITS = { commit_delay: '100000', commit_siblings: '0' };

const rememberedKey = (kind: string) => ({
  file: 'programs/authenticate.js',
  find: 'const found = await findKey(header);',
  replace: `const kept = (globalThis.planted ??= new Map()).get(header);
    const found = kept?.until > Date.now() ? kept.found : await findKey(header);
    if (found && kind === '${kind}')
      globalThis.planted.set(header, { found, until: Date.now() + ${REMEMBERED_MS} });`,
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
    patches: [
      { file: 'db/database.js', find: 'await commit(ask);', replace: 'commit(ask).catch(() => {});' },
    ],
  },
  {
    name: 'a lost answer of the database is told as a refusal',
    breaks: ['refused is absent'],
    faults: ['cut the database'],
    postgresSettings: SLOW_COMMITS,
    patches: [
      {
        file: 'db/database.js',
        find: "throw unavailable('The answer of the database was lost; ask again to learn the outcome', error);",
        replace: "throw new EmbossError(400, 'Not done', { cause: error });",
      },
    ],
  },
  {
    name: 'a missing lock',
    breaks: ['no card beyond its credit', 'every event delivered'],
    faults: CALM,
    patches: [
      {
        file: 'authorizations/queries.js',
        find: 'order by card_id\n             for update',
        replace: 'order by card_id --',
      },
    ],
  },
  {
    name: 'credit that nobody looks at',
    breaks: ['no card beyond its credit'],
    faults: CALM,
    patches: [
      {
        file: 'authorizations/decide.js',
        find: 'holdMinor > card.availableMinor]',
        replace: 'holdMinor < 0n]',
      },
    ],
  },
  {
    name: 'an event written outside the transaction',
    breaks: ['unknown is wholly in or out', 'every event delivered'],
    faults: ['kill a server'],
    patches: [
      {
        file: 'authorizations/run-batch.js',
        find: 'return db.transaction(async (tx) => {',
        replace: 'globalThis.planted = db; return db.transaction(async (tx) => {',
      },
      {
        file: 'authorizations/write-batch.js',
        find: 'recordEvents(tx, program.id, changed.events, nowMs);',
        replace: `setTimeout(() => globalThis.planted.transaction(async (later) =>
          recordEvents(later, program.id, changed.events, nowMs)).catch(() => {}), 300);`,
      },
    ],
  },
  {
    name: 'declines that are told to nobody',
    breaks: ['unknown is wholly in or out', 'every event delivered'],
    faults: CALM,
    patches: [
      {
        file: 'authorizations/write-batch.js',
        find: 'recordEvents(tx, program.id, changed.events, nowMs);',
        replace: `recordEvents(tx, program.id,
          changed.events.filter(({ eventName }) => eventName !== 'authorization.declined'), nowMs);`,
      },
    ],
  },
  {
    name: 'an adjustment in two transactions',
    breaks: ['unknown is wholly in or out'],
    faults: ['kill a server'],
    patches: [
      {
        file: 'cards/adjust-balance.js',
        find: 'postTransfers(tx, programId, [transfer], nowMs);',
        replace: `setTimeout(() => db.transaction(async (later) =>
          postTransfers(later, programId, [transfer], nowMs)).catch(() => {}), 2000);`,
      },
    ],
  },
  {
    name: 'a message that is decided twice',
    breaks: ['one effect per id'],
    faults: CALM,
    patches: [
      {
        file: 'authorizations/batch.js',
        find: 'const known = state.messages.get(keyOf(message.kind, message.messageId));',
        replace: 'const known = undefined;',
      },
      {
        file: 'authorizations/queries.js',
        find: 'as message (kind, message_id, transaction_id, card_id, request_digest, answer)`',
        replace:
          'as message (kind, message_id, transaction_id, card_id, request_digest, answer) on conflict do nothing`',
      },
    ],
  },
  {
    name: 'an answer that is another one the second time',
    breaks: ['one effect per id'],
    faults: CALM,
    patches: [
      {
        file: 'authorizations/batch.js',
        find: 'return JSON.parse(known.answer);',
        replace: "return { ...JSON.parse(known.answer), approval_code: '000000' };",
      },
    ],
  },
  {
    name: 'idempotency keys that are forgotten',
    breaks: ['one effect per id'],
    faults: ['half-open clients'],
    patches: [
      {
        file: 'http/idempotency.js',
        find: 'const known = await replay();',
        replace: 'const known = undefined;',
      },
      {
        file: 'http/idempotency.js',
        find: 'if (!(await insertIdempotencyRecord(tx, row)))',
        replace: 'if (!(await insertIdempotencyRecord(tx, row)) && false)',
      },
    ],
  },
  {
    name: 'a revoked key of a merchant that is remembered',
    breaks: ['key revocation is a barrier'],
    faults: CALM,
    patches: [rememberedKey('merchant')],
  },
  {
    name: 'a revoked key of a network that is remembered',
    breaks: ['key revocation is a barrier'],
    faults: CALM,
    patches: [rememberedKey('network')],
  },
  {
    name: "a card's status that is remembered",
    breaks: ['responses follow from the journal'],
    faults: CALM,
    patches: [
      {
        file: 'authorizations/run-batch.js',
        find: 'const own = countersOf.get(card.cardId);',
        replace: `const own = countersOf.get(card.cardId);
          const kept = (globalThis.planted ??= new Map()).get(card.cardId);
          if (kept?.until > Date.now()) card.status = kept.status;
          else globalThis.planted.set(card.cardId, { status: card.status, until: Date.now() + ${REMEMBERED_MS} });`,
      },
    ],
  },
  {
    name: 'the number before a reissue still works',
    breaks: ['responses follow from the journal'],
    faults: CALM,
    patches: [
      {
        file: 'authorizations/decide.js',
        find: 'card?.numberId !== undefined && card.numberId !== facts.card.numberId',
        replace: 'false',
      },
    ],
  },
  {
    name: 'an account that is left out',
    breaks: ['money adds up'],
    faults: CALM,
    patches: [
      {
        file: 'ledger/post-transfers.js',
        find: '.filter(([, delta]) => delta !== 0n)',
        replace: ".filter(([id, delta]) => delta !== 0n && !id.endsWith('-000000000008'))",
      },
    ],
  },
  {
    name: 'a fee that is rounded away',
    breaks: ['money adds up'],
    faults: CALM,
    patches: [
      {
        file: 'authorizations/movements.js',
        find: "move(movementId, 'fx_fee', ACCOUNTS.holds, ACCOUNTS.fxRevenue, fees.fxMinor)",
        replace: "move(movementId, 'fx_fee', ACCOUNTS.holds, ACCOUNTS.fxRevenue, fees.fxMinor / 10n * 10n)",
      },
    ],
  },
  {
    name: 'an error of the receiver that counts as delivered',
    breaks: ['every event delivered'],
    faults: CALM,
    patches: [
      { file: 'webhooks/retry.js', find: 'result.statusCode <= 299', replace: 'result.statusCode <= 599' },
    ],
  },
  {
    name: 'a delivery that counts as made when it is begun',
    breaks: ['every event delivered'],
    faults: ['kill a worker'],
    patches: [
      {
        file: 'webhooks/delivery-queries.js',
        find: "set due_at = clock_timestamp() + $4 * interval '1 millisecond', attempts",
        replace:
          "set due_at = case when $4::float8 < 0 then clock_timestamp() end, status = 'DELIVERED', attempts",
      },
    ],
  },
  {
    name: 'an event with another id at every try',
    breaks: ['nothing made up'],
    faults: CALM,
    patches: [
      {
        file: 'webhooks/sign.js',
        find: "'webhook-id': id,",
        replace: "'webhook-id': id.slice(0, 24) + String(Math.random()).slice(2, 14).padEnd(12, '0'),",
      },
    ],
  },
  {
    name: 'a link minted early',
    breaks: ['links are fresh'],
    faults: CALM,
    patches: [
      {
        file: 'reports/read-request.js',
        find: 'const { reference_id, link, expireAt } = await readRequest(services, programId, referenceId);',
        replace: `const early = (globalThis.planted ??= new Map());
          if (!early.has(referenceId)) early.set(referenceId, await readRequest(services, programId, referenceId));
          const { reference_id, link, expireAt } = early.get(referenceId);`,
      },
    ],
  },
  {
    name: 'a report without its first row',
    breaks: ['reports recomputed'],
    faults: CALM,
    patches: [
      { file: 'reports/report-queries.js', find: 'order by m.id`', replace: 'order by m.id offset 1`' },
    ],
  },
  {
    name: 'a migration in two transactions',
    breaks: ['a migration is whole or absent'],
    faults: ['interrupted migration'],
    migration: `create table chaos_release (step integer primary key);
insert into chaos_release values (1);
commit;
begin;
select pg_sleep(1);
alter table chaos_release add column note text;
insert into chaos_release values (2, 'done');
`,
  },
  {
    name: 'an entry of the audit that is not linked',
    breaks: ['the audit is one chain'],
    faults: CALM,
    patches: [
      {
        file: 'audit/link-entries.js',
        find: 'of ids.sort())',
        replace: 'of ids.sort().slice(ids.length > 1))',
      },
    ],
  },
  {
    name: 'a hold that is forgotten',
    breaks: ['comes to rest'],
    faults: CALM,
    patches: [
      {
        file: 'authorizations/expire-holds.js',
        find: 'stretch.filter(({ held }) => held);',
        replace: 'stretch.filter(({ held }) => held).slice(1);',
      },
    ],
  },
  {
    name: 'a server that says it is ready before it is',
    breaks: ['first success within 2 s'],
    faults: ['kill a server'],
    judgeRecovery: true,
    patches: [
      {
        file: 'programs/authenticate.js',
        find: 'const found = await findKey(header);',
        replace: `await new Promise((done) => setTimeout(done, Math.max(0, 12_000 - process.uptime() * 1_000)));
          const found = await findKey(header);`,
      },
    ],
  },
];
