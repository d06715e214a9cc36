import { expect, test } from 'vitest';
import { splitStatements } from './split-statements.ts';

test.each([
  ['two statements', 'select 1; select 2;', ['select 1', 'select 2']],
  ['empty statements', ' ;; select 1;\n;', ['select 1']],
  ['no semicolon at the end', 'select 1', ['select 1']],
  ['strings', "select ';', 'it''s;'; select ';'", ["select ';', 'it''s;'", "select ';'"]],
  ['a backslash in a plain string', "select '\\'; select 2", ["select '\\'", 'select 2']],
  ['a backslash in an escape string', "select E'\\';'';'; select 2", ["select E'\\';'';'", 'select 2']],
  ['a string after a word that ends in e', "select date'\\'; select 2", ["select date'\\'", 'select 2']],
  ['quoted identifiers', 'select ";", "a"";\'"; select 2', ['select ";", "a"";\'"', 'select 2']],
  ['line comments', "-- it's; one\nselect 1; -- two;", ["-- it's; one\nselect 1", '-- two;']],
  ['comments', "/* it's; */ select 1; select /**/ 2", ["/* it's; */ select 1", 'select /**/ 2']],
  [
    'a comment in a comment',
    '/* a; /* b; */ c; */ select 1; select 2',
    ['/* a; /* b; */ c; */ select 1', 'select 2'],
  ],
  [
    'comment signs in strings',
    "select '--', '/*'; select 2; --*/",
    ["select '--', '/*'", 'select 2', '--*/'],
  ],
  ['dollar quotes', "do $$ begin a; '; end $$; select 2", ["do $$ begin a; '; end $$", 'select 2']],
  ['dollar quotes with names', 'select $f$;$$;$F$;$f$; select 2', ['select $f$;$$;$F$;$f$', 'select 2']],
  ['dollars that quote nothing', 'select a$b$, $1; select c$b$', ['select a$b$, $1', 'select c$b$']],
])('finds the statements beside %s', (_, text, statements) => {
  expect(splitStatements(text)).toEqual(statements);
});
