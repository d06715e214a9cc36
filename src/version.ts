import { readFileSync } from 'node:fs';

const manifest = new URL('../package.json', import.meta.url);

/** The version in package.json: one place to change it. */
export const VERSION: string = JSON.parse(readFileSync(manifest, 'utf8')).version;
