import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { prepareDatabase } from '../src/db/server-login.ts';
import { METRICS } from '../src/runtime.ts';
import { createCard } from './support/cards/cards.ts';
import { swipe } from './support/cards/swipe.ts';
import { freshDatabase, sql, urlOf } from './support/database/database.ts';
import { ROOT, readSources } from './support/scripts/sources.ts';
import { freePort } from './support/server/free-port.ts';
import { endAll, type ServerProcess, spawnServer } from './support/server/server-process.ts';
import { appForTests } from './support/server/test-app.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('monitoring', () => {
  const app = appForTests();
  /** Every series that a server offers, with the names of its labels. */
  const offered = new Map<string, Set<string>>();

  beforeAll(async () => {
    await swipe(app, (await createCard(app)).id, '1.00');
    const text = await (await fetch(`${app.url}/metrics`)).text();
    // Also those whose first series appears later, such as the metrics of jobs.
    for (const { name, labels } of METRICS)
      offered.set(name, new Set(['job', 'instance', ...Object.keys(labels)]));
    for (const [, name = '', labels = ''] of text.matchAll(/^([a-z0-9_]+)(?:\{(.*)\})? \S+$/gm)) {
      const known = offered.get(name) ?? new Set(['job', 'instance']);
      for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
      offered.set(name, known);
    }
  });

  const dashboard = () =>
    JSON.parse(read('deploy/grafana-dashboard.json')) as {
      panels: Array<{
        id: number;
        title: string;
        gridPos: { x: number; y: number; w: number; h: number };
        targets?: Array<{ expr: string }>;
      }>;
      annotations: { list: Array<{ expr: string }> };
    };
  const alerts = () =>
    (
      parse(read('deploy/alerts.yml')) as {
        groups: Array<{ rules: Array<{ alert: string; expr: string; labels: object; annotations: object }> }>;
      }
    ).groups.flatMap(({ rules }) => rules);

  /** Series that an expression queries, with the labels that it uses. */
  const queried = (expression: string): Array<{ name: string; labels: string[] }> => {
    const grouping = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names = '']) =>
      names.split(/,\s*/),
    );
    return [...expression.matchAll(/\b((?:emboss|nodejs|process)_[a-z0-9_]+)(?:\{([^}]*)\})?/g)].map(
      ([, name = '', labels = '']) => ({
        name,
        labels: [...grouping, ...[...labels.matchAll(/(\w+)\s*[=!]~?"/g)].map(([, label = '']) => label)],
      }),
    );
  };

  test('dashboard and alerts use only existing metrics and labels, and every metric is shown', () => {
    const { panels, annotations } = dashboard();
    const expressions = [
      ...panels.flatMap(({ targets = [] }) => targets),
      ...annotations.list,
      ...alerts(),
    ].map(({ expr }) => expr);
    expect(expressions.length).toBeGreaterThan(25);
    const wrong = expressions.flatMap(queried).filter(({ name, labels }) => {
      const known = offered.get(name);
      return !known || labels.some((label) => !known.has(label));
    });
    expect(wrong).toEqual([]);
    const ours = [...offered.keys()]
      .filter((name) => name.startsWith('emboss_'))
      .map((name) => name.replace(/_(bucket|sum|count)$/, ''));
    const shown = expressions.join('\n');
    expect([...new Set(ours)].filter((name) => !shown.includes(name))).toEqual([]);
  });

  test('every metric that a feature exports is in the list of all, and in the documentation', () => {
    const exported = readSources().flatMap(
      ({ text }) => text.match(/(?<=type: '(?:counter|gauge|histogram)',\s+name: ')\w+/g) ?? [],
    );
    const listed = METRICS.map(({ name }) => name as string).sort();
    expect(exported.sort()).toEqual(listed);
    const rows = read('docs/monitoring.md').matchAll(/^\| `(emboss_\w+)` \| ([\w, ]*?) ?\|/gm);
    const documented = [...rows].map(([, name, labels]) => `${name} ${labels}`).sort();
    expect(documented).toEqual(
      METRICS.map(({ name, labels }) => `${name} ${Object.keys(labels).join(', ')}`).sort(),
    );
  });

  test('outcomes that alerts name exist', () => {
    const outcomes = alerts().flatMap(({ expr }) =>
      [...expr.matchAll(/outcome="(\w+)"/g)].map(([, outcome]) => outcome),
    );
    const known = METRICS.flatMap(({ labels }) => labels['outcome'] ?? []);
    expect(outcomes.filter((outcome) => !known.includes(outcome as never))).toEqual([]);
  });

  test('panels have unique ids and do not overlap', () => {
    const { panels } = dashboard();
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)}/${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  test('each alert has a summary, a severity and instructions', () => {
    for (const { alert, labels, annotations } of alerts()) {
      expect(alert).toMatch(/^Emboss[A-Z]/);
      expect(Object.keys(labels)).toEqual(['severity']);
      expect(Object.keys(annotations)).toEqual(['summary', 'description']);
    }
    expect(read('docs/monitoring.md').match(/\bEmboss[A-Z]\w+/g)).toEqual(
      expect.arrayContaining(alerts().map(({ alert }) => alert)),
    );
  });
});

describe('the image', () => {
  const directory = mkdtempSync(join(tmpdir(), 'emboss-image-'));
  afterAll(async () => {
    await endAll();
    rmSync(directory, { recursive: true, force: true });
  });
  const lines = read('Dockerfile').replaceAll('\\\n', ' ').split('\n');
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

  test('contains everything that a server needs: the server starts from these files alone', async () => {
    const copied = last.flatMap(
      (line) => /^COPY --from=build \/app\/(\S+) (\S+)$/.exec(line)?.slice(1) ?? [],
    );
    expect(copied).toContain('console/dist');
    for (let index = 0; index < copied.length; index += 2)
      cpSync(join(ROOT, copied[index] as string), join(directory, copied[index + 1] as string), {
        recursive: true,
      });
    symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
    const command = JSON.parse(/^ENTRYPOINT (\[.*\])$/m.exec(last.join('\n'))?.[1] ?? '[]') as string[];
    const server: ServerProcess = spawnServer(
      await freePort(),
      {
        DATABASE_URL: await freshDatabase(),
        EMBOSS_MASTER_KEY: randomBytes(32).toString('base64'),
        DATA_DIR: join(directory, 'data'),
        LOG_LEVEL: 'warn',
      },
      join(directory, command.at(-1) as string),
    );
    await server.ready();
    for (const path of ['/health/ready', '/openapi.json', '/docs', '/docs/guides/operate', '/console/'])
      expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200]);
    expect(await server.kill('SIGTERM')).toBe(0);
  });

  test('contains only listed files: no secret, dump or database', () => {
    const [first, ...rules] = read('.dockerignore')
      .split('\n')
      .filter((line) => line && !line.startsWith('#'));
    expect(first).toBe('*');
    const allowed = rules.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    const [, build = ''] = read('Dockerfile').split(/^FROM /m);
    const copied = [...build.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));
    const needed = [...copied.filter((name) => name !== '.'), 'bin/setup.mjs', 'migrations', 'src'];
    const isAllowed = (path: string) => allowed.some((name) => path === name || path.startsWith(`${name}/`));
    expect(needed.filter((path) => !isAllowed(path))).toEqual([]);
    for (const name of ['secrets', 'data', '.git', '.env', 'emboss.dump', 'emboss-data.tar.gz', 'report.csv'])
      expect([name, isAllowed(name)]).toEqual([name, false]);
    for (const path of allowed) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
    for (const hidden of ['**/node_modules', '**/dist', '**/.env']) expect(rules).toContain(hidden);
  });

  test('does not run as root, and has a health check', () => {
    const file = last.join('\n');
    expect(file).toMatch(/^USER node$/m);
    expect(file).toMatch(/^HEALTHCHECK .*\/health\/ready/m);
    expect(file.indexOf('USER node')).toBeGreaterThan(file.indexOf('RUN mkdir /data'));
  });

  test('compose sets all required settings, and contains no secret', () => {
    const { services, secrets, volumes } = parse(read('compose.yaml'));
    expect(services.emboss.environment).toMatchObject({
      DATABASE_URL_FILE: '/run/secrets/database-url',
      EMBOSS_MASTER_KEY_FILE: '/run/secrets/master-key',
    });
    const { emboss, migrate, postgres } = services;
    const used = new Set([emboss, migrate, postgres].flatMap((service) => service.secrets as string[]));
    expect([...used].sort()).toEqual(Object.keys(secrets).sort());
    const mounted = [...emboss.volumes, ...postgres.volumes].map(
      (volume: string) => volume.split(':')[0] ?? '',
    );
    expect(mounted.filter((name) => !name.startsWith('./')).sort()).toEqual(Object.keys(volumes).sort());
    for (const path of mounted.filter((name) => name.startsWith('./'))) expect(read(path)).not.toBe('');
  });

  test('compose gives the server a login that is neither superuser nor owner; a migration service uses the other', async () => {
    const { emboss, migrate } = parse(read('compose.yaml')).services;
    expect(emboss.secrets).toEqual(['database-url', 'master-key']);
    expect(emboss.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
    expect([migrate.command, migrate.environment]).toEqual([
      ['migrate'],
      expect.objectContaining({ MIGRATION_DATABASE_URL_FILE: '/run/secrets/migration-database-url' }),
    ]);
    // As psql runs it, under names of this test.
    const mark = randomBytes(6).toString('hex');
    const script = /<<'SQL'\n([\s\S]*)\nSQL\n/.exec(read('deploy/create-logins.sh'))?.[1] ?? '';
    const statements = script
      .replaceAll(/^(?:\\|--).*$/gm, '')
      .replaceAll(/:'(\w+)'/g, `'$1'`)
      .replaceAll('emboss', `emboss_${mark}`)
      .split(';')
      .filter((statement) => statement.trim() !== '');
    const admin = inject('serverUrl');
    for (const statement of statements) await sql(admin, statement);
    const as = (login: string) =>
      Object.assign(new URL(urlOf(admin, `emboss_${mark}`)), {
        username: `emboss_${mark}_${login}`,
        password: login,
      }).href;
    const prepared = await prepareDatabase(as('owner'), as('server'));
    expect(prepared).toMatchObject({ applied: [expect.stringMatching(/^000001_/)], bound: true });
    const rights = `select rolsuper or rolcreaterole or rolcreatedb as any from pg_roles where rolname = current_user`;
    for (const login of ['owner', 'server']) expect(await sql(as(login), rights)).toEqual([{ any: false }]);
    await expect(sql(as('server'), 'alter table cards add column mine text')).rejects.toThrow(
      'must be owner',
    );
    await expect(sql(as('server'), 'delete from audit_entries')).rejects.toThrow('permission denied');
  });

  test('runs no scripts of packages during the build, and its base image can be pinned by digest', () => {
    const installs = lines.filter((line) => /\bnpm (?:ci|install)\b/.test(line));
    expect(installs).toHaveLength(2);
    for (const line of installs) expect(line).toContain('npm ci --ignore-scripts ');
    expect(read('bin/setup.mjs')).toContain("'ci', '--ignore-scripts'");
    expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
    const bases = lines.filter((line) => line.startsWith('FROM '));
    for (const line of bases) expect(line).toMatch(/^FROM \$\{NODE_IMAGE\}/);
  });

  test('the systemd unit starts an existing command', () => {
    const unit = read('deploy/emboss.service');
    const [, script = ''] = /^ExecStart=\S+ (?:--\S+ )*(\S+) start$/m.exec(unit) ?? [];
    expect(dirname(script)).toBe('bin');
    expect(read(script)).toContain('runCommandLine');
  });
});
