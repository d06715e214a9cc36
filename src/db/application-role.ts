import type pg from 'pg';
import {
  applicationRoleName,
  isRoleReady,
  prepareRole,
  protectFromOwner,
  ROLLBACK,
  tryRole,
} from './queries.ts';

const ATTEMPTS = 5;

/**
 * The role of transactions: it may insert transfers and audit entries but never change them. It is set up at every start,
 * because grants are lost when a database is restored elsewhere. Undefined on a server that does not allow us to create
 * roles: there the owner of the tables revokes these rights from itself.
 */
export async function readyApplicationRole(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ role: string }>(applicationRoleName);
  const role = (rows[0] as { role: string }).role;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if ((await isReady(client, role)) && (await succeeds(client, tryRole(role)))) return role;
    // Two servers that start together may conflict over grants; a second check resolves it.
    await succeeds(client, prepareRole(role));
  }
  await succeeds(client, protectFromOwner);
  return undefined;
}

async function isReady(client: pg.Client, role: string): Promise<boolean> {
  const { rows } = await client.query<{ ready: boolean }>(isRoleReady(role));
  return rows[0]?.ready === true;
}

async function succeeds(client: pg.Client, statements: string): Promise<boolean> {
  try {
    await client.query(statements);
    return true;
  } catch {
    await client.query(ROLLBACK);
    return false;
  }
}
