// `npm run generate`: writes openapi.json, and from it what the SDK and the console know of the server.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { generatedFiles } from './generated-files.ts';

for (const { path, content } of await generatedFiles()) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
