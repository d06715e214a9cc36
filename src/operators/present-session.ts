import { formatTimestamp } from '../kernel/calendar.ts';
import { reveal } from '../kernel/secret.ts';
import { listPrograms } from '../programs/queries.ts';
import type { AuthenticateSession, OperatorSession } from './authenticate-session.ts';
import type { OpenedSession } from './open-session.ts';
import { lacksSecondFactor, type Operator, type SecondFactorRule } from './operator.ts';
import type { ProofServices } from './prove.ts';
import { countRecoveryCodes } from './queries.ts';
import { csrfTokenOf } from './seals.ts';
import type { SessionCookies } from './session-cookie.ts';

export interface SessionRouteServices extends ProofServices {
  sandboxPrograms: boolean;
  authenticateSession: AuthenticateSession;
  cookies: SessionCookies;
  secondFactorRule: SecondFactorRule;
}

const DEVICE_LIFE_SECONDS = 365 * 86_400;

export type PresentedSession = Pick<OperatorSession, 'operator' | 'csrfToken' | 'expiresAt'>;

export const presentSession = async (services: SessionRouteServices, session: PresentedSession) => ({
  operator: await presentOperator(services, session.operator),
  csrfToken: session.csrfToken,
  expiresAt: formatTimestamp(session.expiresAt),
  programs: await programsOf(services, session.operator),
});

interface Reply {
  header(name: string, value: string | string[]): Reply;
}

/** Sets the cookies of a session that was just opened. */
export function setSession({ cookies }: SessionRouteServices, reply: Reply, opened: OpenedSession): void {
  const lifeSeconds = Math.floor((opened.expiresAt.getTime() - Date.now()) / 1000);
  reply
    .header('set-cookie', [
      cookies.session.write(reveal(opened.token), lifeSeconds),
      cookies.device.write(opened.device, DEVICE_LIFE_SECONDS),
    ])
    .header('cache-control', 'no-store');
}

/** Sets the cookies, and returns the session for the page. */
export function answerSession(services: SessionRouteServices, reply: Reply, opened: OpenedSession) {
  setSession(services, reply, opened);
  const csrfToken = csrfTokenOf(services.digest, opened.tokenHash, opened.token);
  return presentSession(services, { ...opened, csrfToken });
}

async function presentOperator({ db }: SessionRouteServices, operator: Operator) {
  const { id, email, name, role, programId, mustChangePassword, secondFactorId } = operator;
  const hasSecondFactor = secondFactorId !== null;
  const recoveryCodes = hasSecondFactor ? await countRecoveryCodes(db, id) : 0;
  const { hasPassword, openidSubject } = operator;
  const ways = { hasPassword, hasOpenId: openidSubject !== null, hasSecondFactor, recoveryCodes };
  return { id, email, name, role, programId, mustChangePassword, ...ways };
}

async function programsOf(
  { db, sandboxPrograms, secondFactorRule }: SessionRouteServices,
  operator: Operator,
) {
  const programs = await listPrograms(db);
  return programs
    .filter(({ id }) => operator.programId === null || id === operator.programId)
    .filter(({ mode }) => sandboxPrograms || mode === 'live')
    .map(({ id, name, mode, currency }) => {
      const needsSecondFactor = lacksSecondFactor(secondFactorRule, operator, mode);
      return { id, name, mode, currency, needsSecondFactor };
    });
}
