import { execFileSync } from 'node:child_process';

/** Tests start the real command, which would otherwise build during them. */
export default function setup(): void {
  execFileSync(process.execPath, ['bin/setup.mjs'], { stdio: 'inherit' });
}
