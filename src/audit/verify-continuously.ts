import type { Database } from '../db/database.ts';
import type { Digest } from '../kernel/digest.ts';
import { LOWEST_ID } from '../kernel/ids.ts';
import { countEntries, findStray, findVerification, upsertVerification } from './queries.ts';
import {
  ENTRIES_AT_ONCE,
  findCut,
  findLoss,
  found,
  type Head,
  type Tampering,
  walkLinks,
} from './verify-audit.ts';

/** Entries that were verified are verified again after this time: they may have been changed since. */
const AGAIN_AFTER_MS = 24 * 3_600_000;

/** How far the verification of a chain has come. */
interface State {
  /** When the current pass over the chain started. */
  startedMs: number;
  /** The last link that the current pass verified. */
  head: Head | null;
  /** The current pass searched all entries up to this id for entries without a link. */
  entryId: string;
  /** The end of the chain when a pass last reached it. It must stay in the chain. */
  verified: (Head & { atMs: number }) | null;
  tampering: (Tampering & { atMs: number }) | null;
}

interface Services {
  db: Database;
  digest: Digest;
  /** Called once for each change of the chain that is found. */
  onTampering?: (programId: string, tampering: Tampering) => void;
}

/** Continues the verification of a chain until it reaches the end, finds a change or has no time left. True: no more now. */
export async function verifyOn(
  services: Services,
  programId: string,
  nowMs: number,
  mayGoOn: () => boolean = () => true,
): Promise<boolean> {
  await services.digest.refresh();
  for (;;) {
    const isEnd = await verifySome(services, programId, nowMs);
    if (isEnd || !mayGoOn()) return isEnd;
  }
}

/** Costs the same for every length of the chain. True: there is nothing more to verify now. */
async function verifySome(
  { db, digest, onTampering }: Services,
  programId: string,
  nowMs: number,
): Promise<boolean> {
  const before = startOf((await readState({ db, digest }, programId)) ?? null, nowMs);
  const { state, isEnd } = await db.snapshot(async (tx) => {
    const walked = await walkLinks(tx, digest, programId, before.head);
    const stray = await findStray(tx, programId, before.entryId, ENTRIES_AT_ONCE);
    const change =
      walked.tampering ??
      (await findCut(tx, programId, before.verified)) ??
      (await findLoss(tx, programId)) ??
      (stray.strayId ? found('added', stray.strayId, null) : undefined);
    const isWhole = walked.isEnd && stray.lastId === null;
    const head = walked.head;
    const after: State = {
      ...before,
      head,
      // An entry without a link is found again until it is gone.
      entryId: stray.strayId ? before.entryId : (stray.lastId ?? before.entryId),
      verified: isWhole && !change && head ? { ...head, atMs: nowMs } : before.verified,
      tampering: change ? { ...change, atMs: sameAs(before.tampering, change) ?? nowMs } : null,
    };
    return { state: after, isEnd: isWhole || change !== undefined };
  });
  const text = JSON.stringify(state);
  await upsertVerification(db, programId, text, digest(...sealParts(programId, text)));
  const { tampering } = state;
  if (tampering && sameAs(before.tampering, tampering) === undefined) {
    const { what, entryId, position } = tampering;
    onTampering?.(programId, { what, entryId, position });
  }
  return isEnd;
}

/** A finished pass is followed by another one. */
function startOf(known: State | null, nowMs: number): State {
  const isOld = known !== null && nowMs - known.startedMs > AGAIN_AFTER_MS;
  if (known && !(isOld && known.tampering === null && known.verified?.position === known.head?.position))
    return known;
  const kept = { verified: known?.verified ?? null, tampering: null };
  return { startedMs: nowMs, head: null, entryId: LOWEST_ID, ...kept };
}

/** When this change was found first. */
const sameAs = (known: State['tampering'], change: Tampering): number | undefined =>
  known?.what === change.what && known.entryId === change.entryId ? known.atMs : undefined;

/** A state with a wrong seal is not used: the verification starts again. */
async function readState({ db, digest }: Services, programId: string): Promise<State | undefined> {
  const row = await findVerification(db, programId);
  if (!row || !digest.matches(row.seal, ...sealParts(programId, row.state))) return undefined;
  return JSON.parse(row.state) as State;
}

const sealParts = (programId: string, state: string): string[] => ['audit-verification', programId, state];

export interface Verification {
  /** Entries in the chain, and entries that are not in it yet. */
  entries: number;
  waiting: number;
  verified: { position: number; atMs: number } | null;
  tampering: (Tampering & { atMs: number }) | null;
}

/** The result of the verification so far. It reads no entry. */
export async function readVerification(services: Services, programId: string): Promise<Verification> {
  const state = await readState(services, programId);
  const { links, waiting } = await services.db.snapshot((tx) => countEntries(tx, programId));
  const { verified = null, tampering = null } = state ?? {};
  return {
    ...{ entries: links, waiting, tampering },
    verified: verified && { position: verified.position, atMs: verified.atMs },
  };
}
