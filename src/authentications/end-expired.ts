import { localIdentity } from '../audit/entry.ts';
import type { Job } from '../jobs/job.ts';
import { readActor } from '../programs/actor.ts';
import { isExpired, rejected } from './authentication.ts';
import { type AuthenticationServices, changeAuthentication } from './change-authentication.ts';
import { listExpired, listProgramsWithExpired } from './queries.ts';

const PAGE = 100;
const MOST_PROGRAMS = 1_000;

type Services = Pick<AuthenticationServices, 'db' | 'metrics'>;

export const challengeExpiry = (services: Services): Job => ({
  name: 'challenge-expiry',
  everyMs: 5_000,
  atOnce: 2,
  findDue: (programId) => listProgramsWithExpired(services.db, MOST_PROGRAMS, programId),
  work: ({ programId }, { deadline }) => endExpired(services, programId, deadline),
});

/** Records the result of expired challenges. Stops at `deadline`. True: there are more. */
export async function endExpired(
  services: Services,
  programId: string,
  deadline = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  let isMore = true;
  while (isMore && performance.now() < deadline) {
    const page = await listExpired(services.db, programId, PAGE);
    isMore = page.length === PAGE;
    if (page.length === 0) break;
    const system = await readActor(services.db, localIdentity('system:authentications'), programId);
    for (const expired of page)
      await changeAuthentication(services, system, expired, ({ authentication, actor, end }) => {
        if (isExpired(authentication, actor.realNow())) end(rejected('N', 'expired'));
      });
  }
  return isMore;
}
