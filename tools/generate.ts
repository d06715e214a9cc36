// `npm run generate`: writes openapi.json, and from it what the SDK and the console know of the server.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { generatedFiles } from './generated-files.ts';

for (const { path, content } of await generatedFiles()) {
  // What did not change keeps its time, so that nothing is built anew because of it.
  if (existsSync(path) && readFileSync(path, 'utf8') === content) continue;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
