import { access } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { finishBacktest } from '../authorizations/backtests/finish-backtest.ts';
import { knownIds } from '../cards/customers/find-known.ts';
import { readConfig } from '../config.ts';
import { invalid } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import type { Actor } from '../programs/actor.ts';
import { MODES } from '../rules/backtests/backtest.ts';
import {
  type BacktestServices,
  backtestRule,
  backtestUnsaved,
  type Span,
} from '../rules/backtests/create-backtest.ts';
import type { PresentedBacktest } from '../rules/backtests/present-backtest.ts';
import { RULE_ACTIONS, type RuleAction } from '../rules/judge-rules.ts';
import { openServices } from '../runtime.ts';
import { missing } from './failure.ts';
import { withProgress } from './progress.ts';
import { readJson, requireOne } from './rule-session.ts';
import { PROGRAM, selectActor } from './select.ts';
import type { Session } from './session.ts';
import { details, type Output, type Terminal, table } from './terminal.ts';
import { utcDay } from './values.ts';

export function backtestCommand(group: Command, session: Session): void {
  group
    .command('backtest')
    .description(
      'Evaluate a rule for the stored authorizations of some days, and show what it would have done',
    )
    .argument('<rule>', 'id of a rule, or JSON file with a rule or a condition that is not saved')
    .requiredOption('--from <day>', 'first day (YYYY-MM-DD, UTC)', utcDay)
    .requiredOption('--to <day>', 'last day, at most 366 days in all', utcDay)
    .addOption(
      new Option('--mode <mode>', 'OBSERVED counts what was, AS_IF_ACTIVE what would have been')
        .choices(MODES)
        .default('OBSERVED'),
    )
    .option(...PROGRAM)
    .action((rule: string, { program, ...span }: Span & { program?: string }) =>
      backtest(session, program, rule, span),
    );
}

/** The command runs it itself, so that it ends without a server too. */
const backtest = (session: Session, program: string | undefined, wanted: string, span: Span): Promise<void> =>
  session.run(async (runtime) => {
    const { terminal } = session;
    const { vault, customers } = await openServices(readConfig(terminal.env), runtime);
    const services = { db: runtime.db, keeper: vault, customers, subjects: knownIds(vault) };
    const actor = await selectActor(runtime.db, program);
    const { name, queue } = await findRule(services, actor, wanted);
    const { id } = await queue(span);
    const ended = await withProgress(terminal, `Backtest of ${name}`, (onProgress) =>
      finishBacktest(services, actor, id, onProgress),
    );
    if (ended.status === 'FAILED') session.exitCode = 1;
    return output(terminal, name, ended);
  });

interface Found {
  name: string;
  queue: (span: Span) => Promise<PresentedBacktest>;
}

/** The command has no Idempotency-Key, so no response is stored. */
const storeNothing = async () => {};

async function findRule(services: BacktestServices, actor: Actor, wanted: string): Promise<Found> {
  if (isId(wanted)) {
    const { name } = await requireOne(services, actor, wanted);
    return { name, queue: (span) => backtestRule(services, actor, wanted, span, storeNothing) };
  }
  if (!(await isReadable(wanted)))
    throw missing(`rule or file "${wanted}"`, 'give the id of a rule ("emboss rule list"), or a JSON file');
  const rule = ruleIn(await readJson(wanted), wanted);
  return {
    name: rule.name,
    queue: (span) => backtestUnsaved(services, actor, { rule, ...span }, storeNothing),
  };
}

const isReadable = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** A rule as `POST /rules/` takes it, or its condition alone. */
function ruleIn(document: unknown, file: string) {
  const isRule = typeof document === 'object' && document !== null && 'when' in document;
  const given: Record<string, unknown> = isRule ? document : { when: document };
  const { name = basename(file), action = 'DECLINE', appliesTo = 'PROGRAM' } = given;
  if (typeof name !== 'string') throw invalid('rule.name', 'must be a string');
  if (!isAction(action)) throw invalid('rule.action', `must be one of ${RULE_ACTIONS.join(', ')}`);
  return { name, action, appliesTo, when: given['when'] as Record<string, unknown> };
}

const isAction = (given: unknown): given is RuleAction =>
  (RULE_ACTIONS as readonly unknown[]).includes(given);

function output(terminal: Terminal, name: string, backtest: PresentedBacktest): Output {
  const { id, mode, status, from, to, currency, byDay } = backtest;
  const head = details([
    ...([
      ['id', id],
      ['mode', mode],
      ['days', `${from} to ${to}`],
      ['status', status],
    ] as const),
    ...(status === 'COMPLETED' ? figures(backtest) : []),
  ]);
  const days = table(
    terminal,
    ['DAY', 'EVALUATED', 'MATCHED', `AMOUNT (${currency})`],
    byDay.map(({ day, evaluated, matched, amount }) => [day, String(evaluated), String(matched), amount]),
    'No attempts were evaluated in this time.',
  );
  const why = 'A list that the rule uses was removed before the backtest had its turn.';
  return {
    json: backtest,
    text: `${name}\n${head}\n\n${status === 'COMPLETED' ? days : why}`,
  };
}

const REASONS = {
  declinedBefore: 'declined before rules',
  appliesToOthers: 'on cards that it does not apply to',
  purchaseDeclined: 'increments of purchases that it would have declined',
} as const;

function figures(backtest: PresentedBacktest): Array<readonly [string, string]> {
  const { evaluated, approved, notEvaluated, matched, alreadyDeclined, approximate, currency } = backtest;
  const { count, amount } = backtest.approvedThatWouldBeDeclined;
  const reasons = (Object.keys(REASONS) as Array<keyof typeof REASONS>)
    .filter((reason) => notEvaluated.why[reason] > 0)
    .map((reason) => `${notEvaluated.why[reason]} ${REASONS[reason]}`);
  const share = approved === 0 ? '' : ` (${((count * 100) / approved).toFixed(1)} %)`;
  return [
    ['evaluated', String(evaluated)],
    ['not evaluated', reasons.length === 0 ? '0' : `${notEvaluated.count}: ${reasons.join(', ')}`],
    ['matched', String(matched)],
    ['would decline', `${count} of ${approved} approvals${share}, ${amount} ${currency}`],
    ['already declined', String(alreadyDeclined)],
    ...(approximate
      ? [
          [
            'approximate',
            'lists, metadata or designs have changed since: they are taken as they are now',
          ] as const,
        ]
      : []),
  ];
}
