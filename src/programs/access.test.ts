import fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import type { App } from '../http/server.ts';
import { requireAccess } from './access.ts';

describe('a route', () => {
  const register = (needed: 'scope' | 'role', config?: object) => {
    const app = fastify() as unknown as App;
    requireAccess(app, needed);
    app.get('/cards/', { ...(config && { config }) }, async () => 'done');
  };

  test.each([undefined, {}, { role: 'viewer' }, { scope: 'all' }])(
    'of the merchant API with the config %j is not registered',
    (config) => {
      expect(() => register('scope', config)).toThrow(
        'GET /cards/: config.scope must be one of read, write, credentials, reveal, decisions',
      );
    },
  );

  test.each([undefined, {}, { scope: 'read' }, { role: 'root' }])(
    'of the console API with the config %j is not registered',
    (config) => {
      expect(() => register('role', config)).toThrow(
        'GET /cards/: config.role must be one of viewer, support, manager, admin',
      );
    },
  );

  test('with scope and role is registered in both APIs', () => {
    const config = { scope: 'read', role: 'viewer' };
    for (const needed of ['scope', 'role'] as const) expect(() => register(needed, config)).not.toThrow();
  });
});
