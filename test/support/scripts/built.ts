import { join } from 'node:path';
import { ROOT } from './sources.ts';

/** The pages of the console. A test that imports this file runs after a build. */
export const CONSOLE_DIST = join(ROOT, 'console/dist');
