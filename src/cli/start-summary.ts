import { resolve } from 'node:path';
import { EXAMPLE_CARD } from '../cards/examples.ts';
import type { Config } from '../config.ts';
import { reveal, type Secret } from '../kernel/secret.ts';
import type { RunningServer } from '../main.ts';
import type { SeededSandbox } from '../sandbox/seed-sandbox.ts';
import { VERSION } from '../version.ts';
import { details, type Output, paint, type Terminal } from './terminal.ts';

/** The output of `emboss start`: addresses, what was created, commands to try, and that the server is ready. */
export function startSummary(terminal: Terminal, config: Config, server: RunningServer): Output {
  const { url, seeded, embeddedPostgres } = server;
  const database = embeddedPostgres ? 'embedded' : 'DATABASE_URL';
  return {
    json: { status: 'ready', url, database, ...revealSeeded(seeded) },
    text: [...summary(terminal, config, server), `ready ${url}`].join('\n'),
  };
}

/** What a first start generated; null for the rest. */
export function revealSeeded(seeded: SeededSandbox | undefined) {
  const made = (key: Secret | null | undefined) => (key ? reveal(key) : null);
  return {
    merchantKey: made(seeded?.generatedMerchantKey),
    networkKey: made(seeded?.generatedNetworkKey),
    operator: seeded ? { email: seeded.operator.email, password: reveal(seeded.operator.password) } : null,
  };
}

function summary(terminal: Terminal, config: Config, server: RunningServer): string[] {
  const { url, seeded, embeddedPostgres } = server;
  const title = (text: string) => `  ${paint(terminal, 'bold', text)}`;
  const addresses = details([
    ['Console', `${url}/console/`],
    ['API', `${url}/api/v1/merchant/`],
    ['Docs', `${url}/docs`],
    [
      'Data',
      embeddedPostgres ? `embedded PostgreSQL in ${config.dataDir}` : 'your PostgreSQL (DATABASE_URL)',
    ],
  ]);
  const lines = ['', title(`Emboss ${VERSION}`), '', addresses, ''];
  if (seeded) lines.push(title('Generated for you, shown only once'), '', details(firstSecrets(seeded)), '');
  const warnings = strangeKeyWarnings(config, server);
  if (warnings.length > 0) lines.push(...warnings.map((text) => `  ${paint(terminal, 'yellow', text)}`), '');
  const key = keyToShow(server);
  if (key) lines.push(title('Create a card'), '', curl(url, key), '');
  const heading = embeddedPostgres ? 'Next' : 'Next, with the same DATABASE_URL and EMBOSS_MASTER_KEY';
  return [...lines, title(heading), '', details(nextSteps(config, server)), ''];
}

function nextSteps(config: Config, server: RunningServer): Array<[string, string]> {
  const command = npx(config, server);
  const steps: Array<[string, string]> = [
    config.sandboxPrograms
      ? [`${command} demo`, 'create a program with 200 cards and 60 days of history']
      : [`${command} program create --mode live …`, 'create a live program (see --help)'],
    [`${command} listen`, 'show events in the terminal as they happen'],
  ];
  if (server.seeded) return steps;
  steps.push([keyCommand(config, server), 'create another merchant key']);
  steps.push(
    server.found.hasOperators
      ? [`${command} operator reset-password <e-mail>`, 'generate a new password']
      : [`${command} operator add <e-mail> --role admin`, 'add an operator for the console'],
  );
  return steps;
}

/** Commands in another terminal need these settings to find the data of this server. */
function npx({ dataDir, port }: Config, { embeddedPostgres }: RunningServer): string {
  const settings = [
    ...(embeddedPostgres && dataDir !== resolve('data') ? [`DATA_DIR=${quoted(dataDir)}`] : []),
    ...(port === 8080 ? [] : [`PORT=${port}`]),
  ];
  return [...settings, 'npx emboss'].join(' ');
}

/** `--program` is needed if there are several programs. */
function keyCommand(config: Config, server: RunningServer): string {
  const [first, second] = server.found.programs;
  return `${npx(config, server)} key create${first && second ? ` --program ${first.id}` : ''}`;
}

const strangeKeyWarnings = (config: Config, server: RunningServer): string[] =>
  server.found.strangeKeys.map((name) => {
    const kind = name === 'EMBOSS_SANDBOX_NETWORK_KEY' ? ' --kind network' : '';
    const elsewhere = server.embeddedPostgres ? 'another DATA_DIR' : 'another database';
    return `${name} is not a valid key in this database: it is only used on the first start. Create a key with "${keyCommand(config, server)}${kind}", or start with ${elsewhere}.`;
  });

const firstSecrets = (seeded: SeededSandbox): Array<[string, string]> => [
  [
    'Sign-in',
    `${seeded.operator.email}   ${reveal(seeded.operator.password)}   (must be changed at the first sign-in)`,
  ],
  ...keyLine('Merchant key', seeded.generatedMerchantKey),
  ...keyLine('Network key', seeded.generatedNetworkKey),
];

const keyLine = (name: string, key: Secret | null): Array<[string, string]> =>
  key ? [[name, reveal(key)]] : [];

/** A key that was generated just now, so that the example works when pasted. A key that was given is not printed. */
function keyToShow({ seeded, found }: RunningServer): string | undefined {
  if (seeded?.generatedMerchantKey) return reveal(seeded.generatedMerchantKey);
  return found.strangeKeys.includes('EMBOSS_SANDBOX_API_KEY') ? undefined : '<your merchant key>';
}

/** Without indentation, so that it can be copied. */
function curl(url: string, key: string): string {
  const { kyc, meta, ...card } = EXAMPLE_CARD;
  const { residentialAddress, ...person } = kyc;
  const inside = (value: object) => JSON.stringify(value).slice(1, -1);
  return [
    `curl ${url}/api/v1/merchant/cards/ \\`,
    `  -H ${quoted(`x-payments-api-key: ${key}`)} -H 'content-type: application/json' -d '{`,
    `  ${inside(card)},`,
    `  "kyc":{${inside(person)},`,
    `    ${inside({ residentialAddress })}},`,
    `  ${inside({ meta })}}'`,
  ].join('\n');
}

/** Quotes text as one word for a shell. */
const quoted = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
