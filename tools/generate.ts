// `npm run generate`: writes the OpenAPI documents, from them the code of the SDK and the console's types, and tables in docs/.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { generatedFiles } from './generated-files.ts';

for (const { path, content } of await generatedFiles()) {
  // Does not write an unchanged file, because a new modification time would cause a build.
  if (existsSync(path) && readFileSync(path, 'utf8') === content) continue;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
