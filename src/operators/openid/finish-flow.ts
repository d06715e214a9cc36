import type { Identity } from '../../audit/entry.ts';
import { clientAddress } from '../../http/client-address.ts';
import { auditOpenIdRefusal } from '../audit.ts';
import { LOCK_MS, SIGN_INS } from '../prove.ts';
import { countAttempt, findOperators } from '../queries.ts';
import { isUnaltered } from '../seals.ts';
import { sealConfirmation } from './confirmation.ts';
import { connectSubject } from './connect-subject.ts';
import type { Finished, OpenIdServices } from './finished.ts';
import type { Flow } from './flow-cookie.ts';
import type { Subject } from './provider.ts';
import { refused } from './refusal.ts';
import { signInSubject } from './sign-in-subject.ts';

/** Clocks differ. */
const SKEW_SECONDS = 30;

/** Handles the provider's answer to a flow. Each flow is used once, whatever comes of it. */
export async function finishFlow(
  services: OpenIdServices,
  by: Identity,
  flow: Flow,
  answer: URL,
  browser: { device: string | undefined; userAgent: string | undefined },
): Promise<Finished> {
  const { digest, wrongPasswords, metrics } = services;
  await digest.refresh();
  const address = clientAddress(by.address);
  // An exchange costs a request to the provider, so failures are limited like wrong passwords.
  if (wrongPasswords.isReached(address)) {
    wrongPasswords.refuse(address);
    return refused('throttled');
  }
  const finished = (await takeFlow(services, flow))
    ? await finish(services, by, flow, answer, browser)
    : refused('expired');
  if (finished.kind === 'refused') {
    wrongPasswords.count(address);
    metrics.count(SIGN_INS, { outcome: 'refused' });
    await auditOpenIdRefusal(services, by, finished.reason, finished.operator);
  }
  return finished;
}

/** The database counts the state of a flow, so that a copied cookie is worth nothing on any process. */
async function takeFlow({ db, digest }: OpenIdServices, { checks }: Flow): Promise<boolean> {
  const [emailDigest, sourceDigest] = ['operator-openid-state', 'operator-openid'].map(
    (kind) => digest.all(kind, kind === 'operator-openid' ? '' : checks.state).at(-1) as Buffer,
  ) as [Buffer, Buffer];
  return (await countAttempt(db, { emailDigest, sourceDigest }, 1, LOCK_MS)) === 1;
}

async function finish(
  services: OpenIdServices,
  by: Identity,
  { checks, purpose, startedAtMs }: Flow,
  answer: URL,
  browser: { device: string | undefined; userAgent: string | undefined },
): Promise<Finished> {
  let subject: Subject;
  try {
    subject = await services.provider.finish(answer, checks);
  } catch (error) {
    if (answer.searchParams.get('error') === 'access_denied') return refused('cancelled');
    services.onError(error);
    return refused('provider');
  }
  if (purpose.kind === 'sign in' || purpose.kind === 'accept')
    return signInSubject(services, by, subject, {
      ...browser,
      invitation: purpose.kind === 'accept' ? purpose.invitation : undefined,
    });
  const [operator] = await findOperators(services.db, [purpose.operatorId]);
  if (!operator || operator.disabledAt !== null || !isUnaltered(services.digest, operator, services.onError))
    return refused('disabled', operator);
  if (purpose.kind === 'connect') return connectSubject(services, by, operator, subject, purpose.session);
  const isSamePerson = operator.openidIssuer === subject.issuer && operator.openidSubject === subject.subject;
  if (!isSamePerson) return refused('other person', operator);
  // The provider must have asked for credentials because of this flow: it may have ignored that it should.
  if (!(Number(subject.authTime) >= startedAtMs / 1000 - SKEW_SECONDS)) return refused('not again', operator);
  return { kind: 'confirmed', cookie: sealConfirmation(services.digest, purpose.session) };
}
