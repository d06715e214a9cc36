import { localIdentity } from '../audit/entry.ts';
import { readActor } from '../programs/actor.ts';
import { isExpired, rejected } from './authentication.ts';
import { type AuthenticationServices, changeAuthentication } from './change-authentication.ts';
import { listExpired } from './queries.ts';

const PAGE = 100;

/** Records the result of challenges whose time is over. Stops at `deadline`; the next call continues. */
export async function endExpired(
  services: Pick<AuthenticationServices, 'db' | 'metrics'>,
  programId: string,
  deadline = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (let isMore = true; isMore && performance.now() < deadline; ) {
    const page = await listExpired(services.db, programId, PAGE);
    isMore = page.length === PAGE;
    if (page.length === 0) return;
    const system = await readActor(services.db, localIdentity('system:authentications'), programId);
    for (const expired of page)
      await changeAuthentication(services, system, expired, ({ authentication, actor, end }) => {
        if (isExpired(authentication, actor.realNow())) end(rejected('N', 'expired'));
      });
  }
}
