import { execFileSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { isNeeded } from './projects.ts';

/** Tests start the real command, which would otherwise build during them. */
export default function setup(project: TestProject): void {
  if (!isNeeded(project, 'build')) return;
  execFileSync(process.execPath, ['bin/setup.mjs'], { stdio: 'inherit' });
}
