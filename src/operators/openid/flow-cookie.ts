import type { Queryable } from '../../db/database.ts';
import type { SecretKeeper } from '../second-factor.ts';
import type { Checks } from './provider.ts';

/** What a person does at the provider. */
export type Purpose =
  | { kind: 'sign in'; next?: string | undefined }
  | { kind: 'accept'; invitation: string }
  /** Of a session, named by the keyed hash of its token. */
  | { kind: 'connect' | 'confirm'; operatorId: string; session: string };

/** A request to the provider that was not answered yet. */
export interface Flow {
  checks: Checks;
  purpose: Purpose;
  startedAtMs: number;
}

export const FLOW_LIFE_SECONDS = 600;
const BINDING = ['operator-openid-flow'];

export async function sealFlow(db: Queryable, keeper: SecretKeeper, flow: Flow): Promise<string> {
  return (await keeper.sealText(db, BINDING, JSON.stringify(flow))).toString('base64url');
}

/** Undefined for a cookie that is missing, altered or too old. */
export async function openFlow(
  db: Queryable,
  keeper: SecretKeeper,
  cookie: string | undefined,
): Promise<Flow | undefined> {
  if (!cookie) return undefined;
  const text = await keeper.openText(db, BINDING, Buffer.from(cookie, 'base64url')).catch(() => undefined);
  const flow = text === undefined ? undefined : (JSON.parse(text) as Flow);
  return flow && Date.now() - flow.startedAtMs < FLOW_LIFE_SECONDS * 1000 ? flow : undefined;
}
