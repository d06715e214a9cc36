import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { Page, Panel } from '../../components/page.tsx';
import { openIdQuery } from '../../lib/openid.ts';
import { preferredProgram } from '../../lib/program.ts';
import { ROLE_WORDS } from '../../lib/role-words.ts';
import { useSession, useSignOut } from '../../lib/session.ts';
import { Preferences } from '../notifications/preferences.tsx';
import classes from './account-page.module.css';
import { OpenIdLink } from './openid-link.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { PasswordForm } from './password-form.tsx';
import { SecondFactor } from './second-factor.tsx';
import { TimeZone } from './time-zone.tsx';

const route = getRouteApi('/account');

export function AccountPage() {
  const { next, refused } = route.useSearch();
  const { data: provider } = useQuery(openIdQuery);
  const { operator, programs } = useSession();
  const router = useRouter();
  const signOut = useSignOut();
  const mustAct = operator.mustChangePassword || programs.every((program) => program.needsSecondFactor);
  const program = preferredProgram(programs.filter(({ needsSecondFactor }) => !needsSecondFactor));
  const leave = () => router.history.push(`/console${next ?? '/'}`);
  return (
    <main id="main" className={classes.page}>
      <Page
        title="Your account"
        intro={`${operator.name}, ${operator.email}, ${ROLE_WORDS[operator.role]}`}
        actions={
          <>
            {!mustAct && (
              <Button variant="default" onClick={leave}>
                Back to the console
              </Button>
            )}
            <Button variant="default" onClick={() => void signOut()}>
              Sign out
            </Button>
          </>
        }
      >
        <Notice />
        {operator.hasPassword && (
          <Panel title="Password">
            <PasswordForm />
          </Panel>
        )}
        {provider && !operator.mustChangePassword && (
          <Panel title={provider}>
            <OpenIdLink name={provider} refused={refused} />
          </Panel>
        )}
        {operator.hasPassword && !operator.mustChangePassword && (
          <Panel title="Second factor">
            <SecondFactor />
          </Panel>
        )}
        {!operator.mustChangePassword && (
          <Panel title="Sessions" flush>
            <OwnSessions />
          </Panel>
        )}
        {!mustAct && program && (
          <Panel title="Notifications">
            <Preferences programId={program.id} />
          </Panel>
        )}
        <Panel title="Time zone">
          <TimeZone />
        </Panel>
      </Page>
    </main>
  );
}

/** Shows what the operator must do before anything else. */
function Notice() {
  const { operator, programs } = useSession();
  const waiting = programs.filter((program) => program.needsSecondFactor);
  if (operator.mustChangePassword)
    return (
      <p className={classes.notice} role="status">
        <strong>Change your password to continue.</strong> The current password was generated, or set by
        another person.
      </p>
    );
  if (waiting.length === 0) return null;
  return (
    <p className={classes.notice} role="status">
      <strong>Set up a second factor.</strong> Your role requires one before you can use{' '}
      {waiting.map(({ name }) => name).join(', ')}.
    </p>
  );
}
