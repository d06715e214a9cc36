// Runs the command from the sources without a build, for development and tests: `node --import tsx bin/dev.mjs`.
import { runCommandLine } from '../src/cli/emboss.ts';

process.exitCode = await runCommandLine(process.argv.slice(2));
