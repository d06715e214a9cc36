// Builds a release in release/: the package, its software bill of materials and their checksums.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'release');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { name, version } = manifest;

const PACKED = ['bin', 'console/dist', 'dist', 'docs', 'migrations'];

const npm = (cwd, ...args) => {
  const { status, stdout, stderr, error } = spawnSync('npm', [...args, '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
    shell: process.platform === 'win32',
  });
  if (error || status !== 0) throw new Error(`"npm ${args[0]}" failed: ${error?.message ?? stderr}`);
  return stdout;
};

/** Removes what no server runs: types, TypeScript sources, source maps and tests were three of five files. */
function removeUnused(modules) {
  for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true })) {
    const isUnused = entry.isDirectory() ? /^(test|tests|__tests__)$/ : /\.([cm]?ts|map)$/;
    if (isUnused.test(entry.name))
      rmSync(join(entry.parentPath, entry.name), { recursive: true, force: true });
  }
}

/**
 * Packs the program with its packages in it, because npm would choose other versions, and run their install scripts. The
 * embedded PostgreSQL alone is installed with it: it has a package for each platform, by its exact version.
 */
function pack() {
  const place = mkdtempSync(join(tmpdir(), 'emboss-release-'));
  const { workspaces: _, devDependencies: __, ...own } = manifest;
  const written = { ...own, bundleDependencies: Object.keys(own.dependencies) };
  writeFileSync(join(place, 'package.json'), JSON.stringify(written, null, 2));
  for (const file of ['README.md', 'LICENSE', '.npmrc', 'package-lock.json', ...PACKED])
    cpSync(join(root, file), join(place, file), { recursive: true });
  // Brings the lock file down to what the server needs; its versions stay.
  npm(place, 'install', '--package-lock-only', '--ignore-scripts');
  npm(place, 'ci', '--omit=dev', '--omit=optional', '--ignore-scripts');
  removeUnused(join(place, 'node_modules'));
  npm(place, 'pack', `--pack-destination=${folder}`);
  rmSync(place, { recursive: true });
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
pack();
// With the packages that are built into the console.
const bill = npm(root, 'sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--omit=dev');
// npm calls the project by its folder.
const named = bill.replaceAll(`${basename(root)}@${version}`, `${name}@${version}`);
const { metadata, ...parts } = JSON.parse(named);
metadata.component.name = name;
writeFileSync(join(folder, `${name}-${version}.cdx.json`), JSON.stringify({ ...parts, metadata }, null, 2));
const sums = readdirSync(folder)
  .sort()
  .map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex')}  ${file}\n`,
  );
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
process.stdout.write(sums.join(''));
