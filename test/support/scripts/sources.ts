import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { listFiles } from './list-files.ts';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export interface SourceFile {
  /** From `src/`, such as `cards/create-card.ts`. */
  path: string;
  /** The first folder, or for a file that stands in `src/` itself its own name. */
  folder: string;
  text: string;
  /** Files of ours that it imports, as paths from `src/`. Types count: they are knowledge too. */
  imports: string[];
  /** Names of npm packages that it imports. */
  packages: string[];
}

/** Everything we ship, without tests; or what is in another folder, with its paths from there. */
export function readSources(folder = 'src'): SourceFile[] {
  const src = join(ROOT, folder);
  return listFiles(src)
    .map((path) => relative(src, path))
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
    .map((path) => readSource(src, path));
}

function readSource(src: string, path: string): SourceFile {
  const text = readFileSync(join(src, path), 'utf8');
  const imported = ts.preProcessFile(text, true, true).importedFiles.map((file) => file.fileName);
  const resolved = [...text.matchAll(/require\.resolve\('([^']+)'\)/g)].map(([, name = '']) => name);
  const named = [...imported, ...resolved];
  const imports = named
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(src, join(src, dirname(path), name)));
  const packages = named
    .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
    .map(packageName);
  return { path, folder: path.split('/')[0] as string, text, imports, packages };
}

/** `@scope/name/deep/file.js` belongs to `@scope/name`. */
const packageName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Every text literal of a file, templates with `…` in place of their holes. */
export function literalsOf(text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) found.push(node.text);
    if (ts.isTemplateExpression(node))
      found.push([node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join('…'));
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest));
  return found;
}
