import { EXAMPLE_CARD } from '../cards/examples.ts';
import type { Config } from '../config.ts';
import { reveal } from '../kernel/secret.ts';
import type { RunningServer } from '../main.ts';
import type { Output } from './terminal.ts';

/** What `emboss start` says: where things are, the keys if they were made just now, and that it is ready. */
export function startSummary(config: Config, server: RunningServer): Output {
  const { url, seeded, embeddedPostgres } = server;
  const made = (key: Parameters<typeof reveal>[0] | null | undefined) => (key ? reveal(key) : null);
  return {
    json: {
      status: 'ready',
      url,
      database: embeddedPostgres ? 'embedded' : 'DATABASE_URL',
      merchantKey: made(seeded?.generatedMerchantKey),
      networkKey: made(seeded?.generatedNetworkKey),
      operator: seeded ? { email: seeded.operator.email, password: reveal(seeded.operator.password) } : null,
    },
    text: `${summary(config, server)}\nready ${url}`,
  };
}

function summary(config: Config, server: RunningServer): string {
  const { url, seeded } = server;
  // A key that was chosen is not printed: the shell that has it puts it in.
  const chosen = config.sandboxApiKey ? '$EMBOSS_SANDBOX_API_KEY' : '<your merchant key>';
  const key = seeded?.generatedMerchantKey ? reveal(seeded.generatedMerchantKey) : chosen;
  const lines = [
    '',
    '  Emboss',
    `  Console   ${url}/console/`,
    `  API       ${url}/api/v1/merchant/`,
    `  Docs      ${url}/docs`,
    `  Database  ${server.embeddedPostgres ? `embedded PostgreSQL in ${config.dataDir}` : 'DATABASE_URL'}`,
  ];
  if (seeded) lines.push('', '  A sandbox program was made for you.');
  if (seeded?.generatedMerchantKey) lines.push(`  Merchant key  ${key}`);
  if (seeded?.generatedNetworkKey) lines.push(`  Network key   ${reveal(seeded.generatedNetworkKey)}`);
  if (seeded)
    lines.push(
      `  Console       ${seeded.operator.email}, password ${reveal(seeded.operator.password)}`,
      '  Keep them: they are shown this once.',
    );
  lines.push('', '  Make a card:', '', ...curl(url, key), '');
  return lines.join('\n');
}

function curl(url: string, key: string): string[] {
  return [
    `curl ${url}/api/v1/merchant/cards/ \\`,
    `  -H "x-payments-api-key: ${key}" -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(EXAMPLE_CARD)}'`,
  ];
}
