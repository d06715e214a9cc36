import { fileURLToPath } from 'node:url';
import { currencyDigits, isCurrency } from '../src/kernel/currencies.ts';
import { licencesPage } from './licences.ts';
import { namespacesCode } from './namespaces.ts';
import { makeDocument, type OpenApiDocument, type Schema } from './openapi-document.ts';
import { type Call, callsOf, operationFunction, queryInterface } from './operations.ts';
import { namedType, reachable } from './types.ts';

interface GeneratedFile {
  path: string;
  content: string;
}

const HEADER =
  '// Written by "npm run generate" from the schemas of the server. Change those, and run it again.\n';

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const paragraphs = (...parts: string[]): string => `${HEADER}\n${parts.filter(Boolean).join('\n\n')}\n`;

/** Everything that is made from the schemas of the server and from the lock file, as it should be now. */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  const document = await makeDocument();
  const all = callsOf(document);
  // The console's own operations are no part of the promise to integrators; a download is no JSON.
  const calls = all.filter(({ operation, answerType }) => !operation.tags.includes('Console') && answerType);
  const { schemas } = document.components;
  const names = reachable(
    [calls.map(({ operation }) => operation), document.webhooks, schemas['Event']],
    schemas,
  );
  names.add('Event');
  return [
    { path: at('docs/licences.md'), content: licencesPage() },
    { path: at('openapi.json'), content: `${JSON.stringify(document, null, 2)}\n` },
    { path: at('sdk/src/generated/types.ts'), content: typesCode(document, calls, names) },
    { path: at('sdk/src/generated/operations.ts'), content: operationsCode(calls) },
    { path: at('sdk/src/generated/namespaces.ts'), content: namespacesFile(calls) },
    { path: at('sdk/src/generated/currencies.ts'), content: currenciesCode() },
    {
      path: at('console/src/lib/api-types.gen.ts'),
      content: typesCode(document, all, new Set(Object.keys(schemas))),
    },
  ];
}

function typesCode({ components }: OpenApiDocument, calls: readonly Call[], names: Set<string>): string {
  const types = [...names].sort().map((name) => namedType(name, components.schemas[name] as Schema));
  return paragraphs(...types, ...calls.map(queryInterface));
}

/** Only what the code names, so that nothing is imported in vain. */
const typeImports = (code: string, calls: readonly Call[]): string => {
  const used = new Set(code.match(/\b[A-Z]\w+\b/g));
  const known = calls.flatMap(({ name, bodyType, answerType, pageOf }) => [
    ...[bodyType, answerType, pageOf].filter((type) => type !== undefined),
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

/** ISO 4217 as the server has it: `Intl` puts the decimal point elsewhere for some thirty currencies. */
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
