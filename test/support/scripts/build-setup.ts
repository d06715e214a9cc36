import { execFileSync } from 'node:child_process';

/** Tests start the real command, which would otherwise build while they watch it. */
export default function setup(): void {
  execFileSync(process.execPath, ['bin/setup.mjs'], { stdio: 'inherit' });
}
