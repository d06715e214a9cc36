// Builds the program: a few files instead of 1,500. Half of the CPU time of a start was the loading of modules.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Built files are two folders below the root, as deep as the sources that look for files there. */
export const bundle = (sources, folder, output = {}) =>
  build({
    cwd: root,
    input: sources,
    platform: 'node',
    // Few starts need these.
    external: ['node-pg-migrate', 'pg-native', 'pg-cloudflare'],
    output: {
      dir: folder,
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      sourcemap: true,
      ...output,
    },
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(['src/cli/emboss.ts'], 'dist/cli');
