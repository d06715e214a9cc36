import { type Command, Option } from 'commander';
import type { Actor } from '../programs/actor.ts';
import { evaluateCondition } from '../rules/evaluate-condition.ts';
import { RULE_ACTIONS } from '../rules/judge-rules.ts';
import type { LeafExplanation } from '../rules/language/explain.ts';
import type { PresentedRule } from '../rules/present-rule.ts';
import { listProgramRules, type ReadServices } from '../rules/read-rules.ts';
import { RULE_STATUSES } from '../rules/rule.ts';
import { backtestCommand } from './rule-backtest.ts';
import { readJson, requireOne, run } from './rule-session.ts';
import { PROGRAM } from './select.ts';
import type { Session } from './session.ts';
import { details, type Output, type Terminal, table } from './terminal.ts';

const PAGE_SIZE = 100;

export function ruleCommands(emboss: Command, session: Session): void {
  const group = emboss.command('rule').description("A program's rules for authorizations");
  group
    .command('list')
    .description('List the rules, newest first')
    .addOption(new Option('--status <status>', 'only rules of this status').choices(RULE_STATUSES))
    .addOption(new Option('--action <action>', 'only rules with this action').choices(RULE_ACTIONS))
    .option(...PROGRAM)
    .action(({ program, ...filters }) =>
      run(session, program, async (services, actor) =>
        ruleList(session.terminal, await listAll(services, actor, filters)),
      ),
    );
  group
    .command('show')
    .description('Show a rule with its condition')
    .argument('<rule>', 'id of the rule')
    .option(...PROGRAM)
    .action((id: string, { program }) =>
      run(session, program, async (services, actor) => oneRule(await requireOne(services, actor, id))),
    );
  group
    .command('test')
    .description('Evaluate a condition for a sample, and show what each of its leaves saw')
    .argument('<file>', 'JSON file with a condition, or with a rule that has one in "when"')
    .requiredOption('--sample <file>', 'JSON file with the values of fields: {"mcc": "7995", …}')
    .option(...PROGRAM)
    .action((file: string, { sample, program }) =>
      run(session, program, async (services, actor) => {
        const [when, values] = [conditionIn(await readJson(file)), await readJson(sample)];
        return evaluation(session.terminal, await evaluateCondition(services, actor, when, values));
      }),
    );
  backtestCommand(group, session);
}

async function listAll(services: ReadServices, actor: Actor, filters: object): Promise<PresentedRule[]> {
  const rules: PresentedRule[] = [];
  for (let after: string | undefined; ; after = rules.at(-1)?.id) {
    const request = { page: 1, pageSize: PAGE_SIZE, after, ...NO_BOUNDS };
    const { rules: page } = await listProgramRules(services, actor, request, filters);
    rules.push(...page.slice(0, PAGE_SIZE));
    if (page.length <= PAGE_SIZE) return rules;
  }
}
const NO_BOUNDS = { before: undefined, minCreated: undefined, maxCreated: undefined };

const conditionIn = (document: unknown): unknown =>
  typeof document === 'object' && document !== null && 'when' in document ? document.when : document;

const ruleList = (terminal: Terminal, rules: readonly PresentedRule[]): Output => ({
  json: { rules },
  text: table(
    terminal,
    ['ID', 'STATUS', 'ACTION', 'PRIORITY', 'NAME'],
    rules.map(({ id, status, action, priority, name }) => [id, status, action, String(priority), name]),
    'No rules. Create one in the console, or with POST /api/v1/merchant/rules/.',
  ),
});

function oneRule(rule: PresentedRule): Output {
  const { name, appliesTo, when } = rule;
  const pairs = (['id', 'status', 'action', 'reason', 'priority', 'replaces', 'createdAt'] as const).map(
    (key) => [key, String(rule[key] ?? '-')] as const,
  );
  const subjects = appliesTo === 'PROGRAM' ? appliesTo : JSON.stringify(appliesTo);
  const condition = JSON.stringify(when, null, 2);
  return { json: rule, text: `${name}\n${details([...pairs, ['appliesTo', subjects]])}\n\n${condition}` };
}

function evaluation(
  terminal: Terminal,
  { result, leaves }: { result: boolean; leaves: readonly LeafExplanation[] },
): Output {
  const rows = leaves.map(({ path, value, result: met }) => [path, value ?? '-', met ? 'met' : 'not met']);
  return {
    json: { result, leaves },
    text: `The condition is ${result ? 'met' : 'not met'}.\n\n${table(terminal, ['LEAF', 'VALUE', 'RESULT'], rows, '')}`,
  };
}
