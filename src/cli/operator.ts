import { type Command, InvalidArgumentError, Option } from 'commander';
import { readConfig } from '../config.ts';
import type { Database } from '../db/database.ts';
import { reveal, type Secret, secret } from '../kernel/secret.ts';
import { invitationLink, invite } from '../operators/invite.ts';
import {
  addOperator,
  type ChosenPassword,
  changeOperator,
  changePassword,
  type OperatorChanges,
  type OperatorServices,
} from '../operators/manage-operators.ts';
import { normalizeEmail, type Operator } from '../operators/operator.ts';
import { createPasswords, generatePassword } from '../operators/password.ts';
import { findOperatorByEmail, listOperators } from '../operators/queries.ts';
import { removeSecondFactor } from '../operators/second-factor.ts';
import { unlock } from '../operators/sign-in.ts';
import { ROLES } from '../programs/access.ts';
import type { Program } from '../programs/program.ts';
import { listPrograms } from '../programs/queries.ts';
import type { Runtime } from '../runtime.ts';
import { openVault } from '../vault/vault.ts';
import { missing } from './failure.ts';
import { ROLE_TEXTS } from './role-texts.gen.ts';
import { selectProgram } from './select.ts';
import { cliIdentity, type Session } from './session.ts';
import { details, type Output, type Terminal, table } from './terminal.ts';

const ROLE = `each role includes the ones before it. ${ROLES.map((role) => `${role}: ${ROLE_TEXTS[role]}`).join('. ')}`;
const FROM_STDIN = 'read the password from standard input instead of generating one';
const OWN_PASSWORD =
  'with --password-stdin: the operator chose the password and need not change it at the first sign-in';

interface PasswordOptions {
  passwordStdin?: boolean;
  ownPassword?: boolean;
}

export function operatorCommands(emboss: Command, session: Session): void {
  const group = emboss.command('operator').description('People who can sign in to the console');
  const role = () => new Option('--role <role>', ROLE).choices([...ROLES]);
  group
    .command('add')
    .description(
      'Add an operator; a password is generated and shown only once, and the operator must change it at the first sign-in. With --link the operator chooses one',
    )
    .argument('<email>')
    .option('--name <text>', 'name in the audit (default: the e-mail address)')
    .addOption(role().default('support'))
    .option('--program <id or name>', 'access to this program only (default: all)')
    .option('--password-stdin', FROM_STDIN)
    .option('--own-password', OWN_PASSWORD)
    .option('--link', 'print an invitation link, valid once and for three days, instead of a password')
    .action((email, { name = email, role: chosen, program, link, ...options }) =>
      session.run(async (runtime) => {
        const { db } = runtime;
        const services = await open(runtime);
        const programId = program === undefined ? null : (await selectProgram(db, program)).id;
        if (link) return invitationOutput(session, services, db, { email, name, role: chosen, programId });
        const given = await chosenPassword(session.terminal, options);
        const { operator, password } = await db.transaction((tx) =>
          addOperator(tx, services, cliIdentity(), { email, name, role: chosen, programId }, given),
        );
        return operatorOutput(
          'Added an operator.',
          operator,
          await listPrograms(db),
          given ? undefined : password,
        );
      }),
    );
  group
    .command('list')
    .description('List the operators')
    .action(() =>
      session.run(async ({ db }) =>
        operatorList(session.terminal, await listOperators(db), await listPrograms(db)),
      ),
    );
  group
    .command('set')
    .description("Change an operator's name, role or program; it takes effect with the next request")
    .argument('<email>')
    .option('--name <text>')
    .addOption(role())
    .option('--program <id or name>', 'access to this program only, or "all"')
    .action((email, { program, ...given }: { name?: string; role?: Operator['role']; program?: string }) => {
      if (Object.keys(given).length === 0 && program === undefined)
        throw new InvalidArgumentError('Specify what to change: --name, --role or --program.');
      return change(session, email, 'Changed the operator.', async (db) => ({
        ...given,
        ...(program !== undefined && {
          programId: program === 'all' ? null : (await selectProgram(db, program)).id,
        }),
      }));
    });
  group
    .command('disable')
    .description('Sign an operator out everywhere and prevent further sign-ins')
    .argument('<email>')
    .action((email) => change(session, email, 'Disabled the operator.', async () => ({ enabled: false })));
  group
    .command('enable')
    .description('Allow a disabled operator to sign in again')
    .argument('<email>')
    .action((email) => change(session, email, 'Enabled the operator.', async () => ({ enabled: true })));
  group
    .command('reset-password')
    .description(
      'Generate a new password, shown only once, sign the operator out everywhere and remove an OpenID link',
    )
    .argument('<email>')
    .option('--password-stdin', FROM_STDIN)
    .option('--own-password', OWN_PASSWORD)
    .action((email, options: PasswordOptions) =>
      session.run(async (runtime) => {
        const { db } = runtime;
        const services = await open(runtime);
        const given = await chosenPassword(session.terminal, options);
        const chosen = given ?? { password: generatePassword(), isTheirOwn: false };
        const operator = await changePassword(db, services, cliIdentity(), await select(db, email), chosen);
        await unlock({ db, digest: services.digest }, cliIdentity(), operator);
        const shown = given ? undefined : chosen.password;
        return operatorOutput('Changed the password.', operator, await listPrograms(db), shown);
      }),
    );
  group
    .command('reset-second-factor')
    .description('Remove the second factor of an operator who lost it, and sign the operator out everywhere')
    .argument('<email>')
    .action((email) =>
      session.run(async (runtime) => {
        const { db } = runtime;
        const { digest } = await open(runtime);
        const { id } = await select(db, email);
        const operator = await removeSecondFactor({ db, digest }, cliIdentity(), { id });
        return operatorOutput('Removed the second factor.', operator, await listPrograms(db));
      }),
    );
  group
    .command('unlock')
    .description('Unlock an operator who entered too many wrong passwords or codes')
    .argument('<email>')
    .action((email) =>
      session.run(async (runtime) => {
        const { db } = runtime;
        const { digest } = await open(runtime);
        const operator = await select(db, email);
        const wasCounted = await unlock({ db, digest }, cliIdentity(), operator);
        const text = wasCounted ? 'can sign in again' : 'was not locked out';
        return { json: { email: operator.email, wasCounted }, text: `${operator.email} ${text}.` };
      }),
    );
}

async function invitationOutput(
  { terminal }: Session,
  { digest }: OperatorServices,
  db: Database,
  person: Parameters<typeof invite>[3],
): Promise<Output> {
  const { invitation, token } = await db.transaction((tx) => invite(tx, digest, cliIdentity(), person, null));
  const { id, email, role, expiresAt } = invitation;
  const link = invitationLink(readConfig(terminal.env).publicUrl, token);
  const keep = 'The link is shown only once. It works once, for three days.';
  return {
    json: { id, email, role, expiresAt, link },
    text: `Invited ${email}.\n${details([['link', link]])}\n${keep}`,
  };
}

async function open({ db, masters }: Runtime): Promise<OperatorServices> {
  const { digest } = await openVault(db, masters);
  return { digest, passwords: createPasswords(digest) };
}

async function select(db: Database, email: string): Promise<Operator> {
  const found = await findOperatorByEmail(db, normalizeEmail(email));
  if (!found) throw missing(`operator "${email}"`, 'see "emboss operator list"');
  return found;
}

function change(
  session: Session,
  email: string,
  title: string,
  changes: (db: Database) => Promise<OperatorChanges>,
): Promise<void> {
  return session.run(async (runtime) => {
    const { db } = runtime;
    const services = await open(runtime);
    const { id } = await select(db, email);
    const operator = await changeOperator(db, services, cliIdentity(), id, await changes(db));
    return operatorOutput(title, operator, await listPrograms(db));
  });
}

/** Reads the first line of stdin. An argument would appear in the shell's history and in the process list. */
async function chosenPassword(
  { stdin = process.stdin }: Terminal,
  { passwordStdin = false, ownPassword = false }: PasswordOptions,
): Promise<ChosenPassword | undefined> {
  if (ownPassword && !passwordStdin)
    throw new InvalidArgumentError('--own-password requires --password-stdin.');
  if (!passwordStdin) return undefined;
  let text = '';
  for await (const piece of stdin) text += String(piece);
  return { password: secret(text.split(/\r?\n/)[0] as string), isTheirOwn: ownPassword };
}

const fieldsOf = (operator: Operator, programs: Program[]): Array<[string, string]> => [
  ['e-mail', operator.email],
  ['name', operator.name],
  ['role', operator.role],
  ['programs', programName(operator, programs)],
  ['status', statusOf(operator)],
  ['second factor', operator.secondFactorId ? 'yes' : 'no'],
  ['signs in with', waysOf(operator)],
];

function operatorOutput(title: string, operator: Operator, programs: Program[], password?: Secret): Output {
  const pairs = fieldsOf(operator, programs);
  if (password) pairs.push(['password', reveal(password)]);
  const keep = password ? `\nSave the password now: it is shown only once.` : '';
  const change = operator.mustChangePassword ? '\nIt must be changed at the first sign-in.' : '';
  return {
    json: { ...operatorJson(operator), ...(password && { password: reveal(password) }) },
    text: `${title}\n${details(pairs)}${keep}${password ? change : ''}`,
  };
}

function operatorList(terminal: Terminal, operators: Operator[], programs: Program[]): Output {
  const rows = operators.map((operator) => fieldsOf(operator, programs).map(([, value]) => value));
  const names = ['E-MAIL', 'NAME', 'ROLE', 'PROGRAMS', 'STATUS', '2ND FACTOR', 'SIGNS IN WITH'];
  const empty = 'No operators yet; add one with "emboss operator add".';
  return { json: { operators: operators.map(operatorJson) }, text: table(terminal, names, rows, empty) };
}

const programName = ({ programId }: Operator, programs: Program[]): string =>
  programId === null ? 'all' : (programs.find(({ id }) => id === programId)?.name ?? programId);

const waysOf = ({ hasPassword, openidSubject }: Operator): string =>
  [...(hasPassword ? ['password'] : []), ...(openidSubject === null ? [] : ['OpenID'])].join(', ');

const statusOf = ({ disabledAt }: Operator): 'active' | 'disabled' => (disabledAt ? 'disabled' : 'active');

function operatorJson(operator: Operator) {
  const { id, email, name, role, programId, createdAt, mustChangePassword, secondFactorId } = operator;
  return {
    ...{ id, email, name, role, programId, createdAt, status: statusOf(operator) },
    ...{ mustChangePassword, hasSecondFactor: secondFactorId !== null },
    ...{ hasPassword: operator.hasPassword, hasOpenId: operator.openidSubject !== null },
  };
}
