import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, notFound, redirect } from '@tanstack/react-router';
import { Shell } from './features/shell/shell.tsx';
import { ApiError } from './lib/api.ts';
import { preferredProgram, rememberProgram } from './lib/program.ts';
import { sessionQuery } from './lib/session.ts';
import type { Session } from './lib/types.ts';

/** The parent routes. Each feature defines its own in `features/<noun>/route.ts`. */
export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()();

export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ context, location }): Promise<void> => {
    const { programs } = await requireSession(context.queryClient, location.href);
    const program = preferredProgram(programs);
    if (!program) notFound({ throw: true });
    else
      redirect({ to: '/programs/$programId', params: { programId: program.id }, replace: true, throw: true });
  },
});

/** All pages of a program: inside the shell, for a signed-in operator, at a URL that can be shared. */
export const programRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'programs/$programId',
  beforeLoad: async ({ context, location, params }): Promise<void> => {
    const { operator, programs } = await requireSession(context.queryClient, location.href);
    const program = programs.find(({ id }) => id === params.programId);
    if (!program) notFound({ throw: true });
    // The server refuses all other requests until this is done.
    if (operator.mustChangePassword || program?.needsSecondFactor)
      redirect({ to: '/account', search: { next: location.href }, throw: true });
    rememberProgram(params.programId);
  },
  component: Shell,
});

/** Without a session it redirects to the sign-in page, which returns here. */
export async function requireSession(queryClient: QueryClient, href: string): Promise<Session> {
  try {
    return await queryClient.ensureQueryData(sessionQuery);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401)
      redirect({ to: '/sign-in', search: href === '/' ? {} : { next: href }, throw: true });
    throw error;
  }
}
