import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { ACTIONS } from '../src/audit/actions.ts';
import { DECLINES } from '../src/authorizations/core/decline.ts';
import { EVENT_NAMES } from '../src/events/names.ts';
import { currencyDigits, isCurrency } from '../src/kernel/currencies.ts';
import { FIELDS } from '../src/rules/language/fields.ts';
import { brandCode } from './brand.ts';
import { licencesPage } from './licences.ts';
import { namespacesCode } from './namespaces.ts';
import { createDocuments, type OpenApiDocument } from './openapi-document.ts';
import { type Call, callsOf, operationFunction, queryInterface } from './operations.ts';
import { roleTexts, withPermissions } from './role-texts.ts';
import { namedType, referencesIn } from './types.ts';

interface GeneratedFile {
  path: string;
  content: string;
}

const HEADER =
  '// Written by "npm run generate" from the schemas of the server. Change those, and run it again.\n';

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const paragraphs = (...parts: string[]): string => `${HEADER}\n${parts.filter(Boolean).join('\n\n')}\n`;

/** All files generated from the schemas and tables of the server and from the lock file, with their current content. */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  const [{ api, console }, permissions] = await withPermissions(createDocuments);
  const roles = roleTexts(permissions);
  // The SDK's calls send and return JSON; a report is downloaded by hand-written code.
  const calls = callsOf(api).filter(({ answerType, sendsJson }) => answerType && sendsJson);
  return [
    { path: at('docs/licences.md'), content: licencesPage() },
    { path: at('docs/errors.md'), content: withTable('docs/errors.md', declineRows()) },
    {
      path: at('docs/operate.md'),
      content: withTable('docs/operate.md', roleRows(roles), actionRows()),
    },
    { path: at('docs/rules.md'), content: withTable('docs/rules.md', fieldRows()) },
    { path: at('src/cli/role-texts.gen.ts'), content: roleCode(roles) },
    { path: at('console/src/lib/role-texts.gen.ts'), content: roleCode(roles) },
    {
      path: at('src/http/brand.gen.ts'),
      content: brandCode(at('console/src/theme.css'), at('console/public/favicon.svg')),
    },
    { path: at('docs/webhooks.md'), content: withTable('docs/webhooks.md', eventRows(api)) },
    { path: at('openapi.json'), content: `${JSON.stringify(api, null, 2)}\n` },
    { path: at('console-openapi.json'), content: `${JSON.stringify(console, null, 2)}\n` },
    {
      path: at('sdk/src/generated/types.ts'),
      content: paragraphs(...typesOf(api), ...calls.map(queryInterface)),
    },
    { path: at('sdk/src/generated/operations.ts'), content: operationsCode(calls) },
    { path: at('sdk/src/generated/namespaces.ts'), content: namespacesFile(calls) },
    { path: at('sdk/src/generated/currencies.ts'), content: currenciesCode() },
    { path: at('console/src/lib/api-types.gen.ts'), content: consoleTypesCode(console, api) },
  ];
}

/** The page with new rows in its generated tables, in their order. */
function withTable(path: string, ...tables: Array<readonly string[]>): string {
  const page = readFileSync(at(path), 'utf8');
  const table = /(<!-- Written by "npm run generate".*-->\n\n.*\n\|[-|]+\|\n)(?:\|.*\n)*/g;
  if (page.match(table)?.length !== tables.length)
    throw new Error(`${path} does not have ${tables.length} generated tables`);
  return page.replace(table, (_, head: string) => `${head}${tables.shift()?.join('\n')}\n`);
}

const declineRows = (): string[] =>
  Object.entries(DECLINES).map(
    ([reason, { declineCode, networkCode, meaning, remedy }]) =>
      `| \`${reason}\` | ${declineCode} | ${networkCode} | ${meaning} | ${remedy} |`,
  );

const actionRows = (): string[] =>
  Object.entries(ACTIONS).map(
    ([action, described]) =>
      `| \`${action}\` | ${described.words} |${'note' in described ? ` ${described.note}` : ''} |`,
  );

const eventRows = ({ webhooks }: OpenApiDocument): string[] =>
  Object.entries(EVENT_NAMES).flatMap(([type, names]) =>
    names.map((name) => `| \`${type}\` | \`${name}\` | ${webhooks[name]?.post.summary} |`),
  );

const fieldRows = (): string[] =>
  FIELDS.map(({ name, type, nullable, values, listType, example }) => {
    const shown = values
      ? values.map((value) => `\`${value}\``).join(', ')
      : `\`${JSON.stringify(example)}\``;
    return `| \`${name}\` | ${type} | ${nullable ? 'yes' : ''} | ${listType ?? ''} | ${shown} |`;
  });

const roleRows = (roles: Record<string, string>): string[] =>
  Object.entries(roles).map(([role, text]) => `| \`${role}\` | ${text} |`);

const roleCode = (roles: Record<string, string>): string =>
  paragraphs(
    `/** What each role can do beyond the roles before it. */\nexport const ROLE_TEXTS = {\n${Object.entries(
      roles,
    )
      .map(([role, text]) => `  ${role}:\n    '${text}',\n`)
      .join('')}} as const;`,
  );

const typesOf = ({ components }: OpenApiDocument): string[] =>
  Object.entries(components.schemas).map(([name, schema]) => namedType(name, schema));

/** The types that only the console API has; the console imports all others from the SDK. */
function consoleTypesCode(console: OpenApiDocument, api: OpenApiDocument): string {
  const schemas = Object.entries(console.components.schemas);
  const isShared = (name: string): boolean => name in api.components.schemas;
  const changed = schemas.filter(
    ([name, schema]) => isShared(name) && !isDeepStrictEqual(schema, api.components.schemas[name]),
  );
  if (changed.length > 0) throw new Error(`${changed.map(([name]) => name)} differs between the documents`);
  const own = Object.fromEntries(schemas.filter(([name]) => !isShared(name)));
  const imported = referencesIn(own).filter(isShared);
  return paragraphs(
    `import type { ${imported.join(', ')} } from '@emboss/sdk';`,
    ...typesOf({ ...console, components: { schemas: own } }),
  );
}

/** Imports only the types that the code uses. */
const typeImports = (code: string, calls: readonly Call[]): string => {
  const used = new Set(code.match(/\b[A-Z]\w+\b/g));
  const known = calls.flatMap(({ name, bodyType, answerType, pageOf }) => [
    ...[bodyType, ...(answerType?.split(' | ') ?? []), pageOf].filter((type) => type !== undefined),
    `${name[0]?.toUpperCase()}${name.slice(1)}Query`,
  ]);
  const names = [...new Set(known)].filter((name) => used.has(name)).sort();
  return `import type {\n${names.map((name) => `  ${name},`).join('\n')}\n} from './types.ts';`;
};

function operationsCode(calls: readonly Call[]): string {
  const code = calls.map(operationFunction).join('\n\n');
  const imports = [
    "import type { Client, IdempotentOptions, RequestOptions } from '../client.ts';",
    "import { type List, list } from '../list.ts';",
    "import { segment, send } from '../send.ts';",
    typeImports(code, calls),
  ];
  return paragraphs(imports.join('\n'), code);
}

function namespacesFile(calls: readonly Call[]): string {
  const code = namespacesCode(calls);
  const imports = [
    "import type { Client, IdempotentOptions, RequestOptions } from '../client.ts';",
    "import type { List } from '../list.ts';",
    "import * as operations from './operations.ts';",
    typeImports(code, calls),
  ];
  return paragraphs(imports.join('\n'), code);
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** ISO 4217 as the server defines it: `Intl` has other decimals for some thirty currencies. */
function currenciesCode(): string {
  const codes = LETTERS.flatMap((a) => LETTERS.flatMap((b) => LETTERS.map((c) => a + b + c))).filter(
    isCurrency,
  );
  const entries = codes.map((code) => `${code}: ${currencyDigits(code)}`);
  const lines = [];
  for (let i = 0; i < entries.length; i += 12) lines.push(`  ${entries.slice(i, i + 12).join(', ')},`);
  const table = `export const CURRENCY_DIGITS: Record<string, number> = {\n${lines.join('\n')}\n};`;
  return paragraphs(`/** How many decimals the currencies of ISO 4217 have. */\n${table}`);
}
