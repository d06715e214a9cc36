/** Comments, quoted identifiers, strings and dollar quotes, whose semicolons end no statement; else a semicolon. */
const PARTS = new RegExp(
  [
    '--.*',
    // PostgreSQL's comments can contain comments.
    String.raw`/\*(?:/\*[^]*?\*/|[^])*?\*/`,
    '"[^"]*"',
    String.raw`(?<![\w$])[eE]'(?:''|\\[^]|[^'\\])*'`,
    "'[^']*'",
    String.raw`(?<![\w$])(\$(?:[A-Za-z_]\w*)?\$)[^]*?\1`,
    ';',
  ].join('|'),
  'g',
);

/** PostgreSQL's texts never contain it. */
const SEPARATOR = '\0';

/**
 * The statements of an SQL file. PostgreSQL refuses a statement that was cut inside a string or a comment, so an error here
 * is never silent. The bodies of functions must be quoted: those of `begin atomic` are not recognized.
 */
export const splitStatements = (text: string): string[] =>
  text
    .replace(PARTS, (part) => (part === ';' ? SEPARATOR : part))
    .split(SEPARATOR)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
