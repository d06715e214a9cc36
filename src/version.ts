import { readFileSync } from 'node:fs';
import { releasePath } from './kernel/release-path.ts';

/** The version in package.json: one place to change it. */
export const VERSION: string = JSON.parse(readFileSync(releasePath('package.json'), 'utf8')).version;
