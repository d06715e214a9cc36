import { EXAMPLE_CARD } from '../cards/examples.ts';
import type { Config } from '../config.ts';
import { reveal, type Secret } from '../kernel/secret.ts';
import type { RunningServer } from '../main.ts';
import type { SeededSandbox } from '../sandbox/seed-sandbox.ts';
import { VERSION } from '../version.ts';
import { details, type Output, paint, type Terminal } from './terminal.ts';

/** What `emboss start` says: where things are, what was made just now, what to try, and that it is ready. */
export function startSummary(terminal: Terminal, config: Config, server: RunningServer): Output {
  const { url, seeded, embeddedPostgres } = server;
  const made = (key: Secret | null | undefined) => (key ? reveal(key) : null);
  return {
    json: {
      status: 'ready',
      url,
      database: embeddedPostgres ? 'embedded' : 'DATABASE_URL',
      merchantKey: made(seeded?.generatedMerchantKey),
      networkKey: made(seeded?.generatedNetworkKey),
      operator: seeded ? { email: seeded.operator.email, password: reveal(seeded.operator.password) } : null,
    },
    text: [...summary(terminal, config, server), `ready ${url}`].join('\n'),
  };
}

function summary(terminal: Terminal, config: Config, server: RunningServer): string[] {
  const { url, seeded, embeddedPostgres } = server;
  const title = (text: string) => `  ${paint(terminal, 'bold', text)}`;
  const places = details([
    ['Console', `${url}/console/`],
    ['API', `${url}/api/v1/merchant/`],
    ['Docs', `${url}/docs`],
    [
      'Data',
      embeddedPostgres ? `embedded PostgreSQL in ${config.dataDir}` : 'your PostgreSQL (DATABASE_URL)',
    ],
  ]);
  const lines = ['', title(`Emboss ${VERSION}`), '', places, ''];
  if (seeded) lines.push(title('Made for you, and shown this once'), '', details(firstSecrets(seeded)), '');
  const key = usableKey(config, seeded);
  if (key) lines.push(title('Make a card'), '', curl(url, key), '');
  const next = [
    ['npx emboss demo', 'a program with two hundred cards and sixty days of history'],
    ['npx emboss listen', 'events as they happen, here in a terminal'],
  ] as const;
  const forgotten = [['npx emboss key create', 'another merchant key']] as const;
  return [...lines, title('Next'), '', details(key ? next : [...next, ...forgotten]), ''];
}

const firstSecrets = (seeded: SeededSandbox): Array<[string, string]> => [
  ['Sign-in', `${seeded.operator.email}   ${reveal(seeded.operator.password)}`],
  ...keyLine('Merchant key', seeded.generatedMerchantKey),
  ...keyLine('Network key', seeded.generatedNetworkKey),
];

const keyLine = (name: string, key: Secret | null): Array<[string, string]> =>
  key ? [[name, reveal(key)]] : [];

/** A key that was chosen is not printed: the shell that has it puts it in. Of an older one nothing is known. */
function usableKey({ sandboxApiKey }: Config, seeded: SeededSandbox | undefined): string | undefined {
  if (seeded?.generatedMerchantKey) return reveal(seeded.generatedMerchantKey);
  return sandboxApiKey ? '$EMBOSS_SANDBOX_API_KEY' : undefined;
}

/** At the left margin, so that it can be copied as it stands. */
function curl(url: string, key: string): string {
  const { kyc, meta, ...card } = EXAMPLE_CARD;
  const { residentialAddress, ...person } = kyc;
  const inside = (value: object) => JSON.stringify(value).slice(1, -1);
  return [
    `curl ${url}/api/v1/merchant/cards/ \\`,
    `  -H "x-payments-api-key: ${key}" -H 'content-type: application/json' -d '{`,
    `  ${inside(card)},`,
    `  "kyc":{${inside(person)},`,
    `    ${inside({ residentialAddress })}},`,
    `  ${inside({ meta })}}'`,
  ].join('\n');
}
