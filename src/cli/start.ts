import { type Config, readConfig } from '../config.ts';
import { reveal } from '../kernel/secret.ts';
import { type RunningServer, startServer } from '../main.ts';

const FORCED_EXIT_MS = 9_500;

/** `emboss start`: stdout gets a short summary and the `ready` line; the log goes to stderr. */
export async function start(): Promise<void> {
  const config = readConfig();
  let stopping = false;
  const server = await startServer(config, (error) => {
    process.stderr.write(`emboss: ${error.message}\n`);
    process.exit(1);
  });
  const stop = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(0), FORCED_EXIT_MS).unref();
    server.stop().then(
      () => process.exit(0),
      (error) => {
        process.stderr.write(`emboss: stopping failed: ${error instanceof Error ? error.message : error}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.stdout.write(`${summary(config, server)}\nready ${server.url}\n`);
}

function summary(config: Config, server: RunningServer): string {
  const { url, seeded } = server;
  const chosen = config.sandboxApiKey ? '$EMBOSS_SANDBOX_API_KEY' : '<your merchant key>';
  const key = seeded?.generatedMerchantKey ? reveal(seeded.generatedMerchantKey) : chosen;
  const lines = [
    '',
    '  Emboss',
    `  API       ${url}/api/v1/merchant/`,
    `  Docs      ${url}/docs`,
    `  Database  ${server.embeddedPostgres ? `embedded PostgreSQL in ${config.dataDir}` : 'DATABASE_URL'}`,
  ];
  if (seeded) lines.push('', '  A sandbox program was made for you.');
  if (seeded?.generatedMerchantKey) lines.push(`  Merchant key  ${key}`);
  if (seeded?.generatedNetworkKey) lines.push(`  Network key   ${reveal(seeded.generatedNetworkKey)}`);
  if (seeded?.generatedMerchantKey || seeded?.generatedNetworkKey)
    lines.push('  Keep the keys: they are shown this once.');
  lines.push('', '  Make a card:', '', ...curl(url, key), '');
  return lines.join('\n');
}

function curl(url: string, key: string): string[] {
  const body = {
    kycApplicantId: 'applicant-1',
    cardType: 'virtual',
    preferredCardName: 'ADA LOVELACE',
    spendLimit: 250,
    customerType: 'Consumer',
    kyc: {
      firstName: 'Ada',
      lastName: 'Lovelace',
      dob: '1990-12-10',
      residentialAddress: {
        idDocumentType: 'passport',
        idDocumentNumber: 'P1234567',
        line1: '12 St James Square',
        line2: '',
        city: 'London',
        country: 'GBR',
      },
    },
    meta: { id: 'customer-42', otpPhoneNumber: { dialCode: 44, phoneNumber: '7700900123' } },
  };
  return [
    `curl ${url}/api/v1/merchant/cards/ \\`,
    `  -H 'x-payments-api-key: ${key}' -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ];
}
