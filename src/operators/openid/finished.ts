import type { OpenedSession } from '../open-session.ts';
import type { ProofServices } from '../prove.ts';
import type { OpenIdProvider } from './provider.ts';
import type { RefusedFlow } from './refusal.ts';

export interface OpenIdServices extends ProofServices {
  provider: OpenIdProvider;
}

/** What the browser gets: a session, a confirmation of its session, a link of its account, or a refusal. */
export type Finished =
  | { kind: 'signed in'; opened: OpenedSession }
  | { kind: 'confirmed'; cookie: string }
  | { kind: 'connected' }
  | RefusedFlow;
