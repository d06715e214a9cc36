import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { homeRoute, programRoute, rootRoute } from './app-routes.ts';
import { ErrorPage } from './components/error-page.tsx';
import { NotFoundPage } from './components/not-found-page.tsx';
import { accountRoute } from './features/account/route.ts';
import { approvalsRoute } from './features/approvals/route.ts';
import { auditRoute } from './features/audit/route.ts';
import { batchesRoute, cardRoute, cardsRoute } from './features/cards/route.ts';
import { confirmedRoute } from './features/confirmed/route.ts';
import { customerRoute, customersRoute } from './features/customers/route.ts';
import { decisionsRoute } from './features/decisions/route.ts';
import { designsRoute } from './features/designs/route.ts';
import { invitationRoute } from './features/invitation/route.ts';
import { keysRoute } from './features/keys/route.ts';
import { overviewRoute } from './features/overview/route.ts';
import { peopleRoute } from './features/people/route.ts';
import { programPageRoute } from './features/program/route.ts';
import { reportsRoute } from './features/reports/route.ts';
import { signInRoute } from './features/sign-in/route.ts';
import { simulatorRoute } from './features/simulator/route.ts';
import { transactionRoute, transactionsRoute } from './features/transactions/route.ts';
import { webhooksRoute } from './features/webhooks/route.ts';

const routeTree = rootRoute.addChildren([
  homeRoute,
  signInRoute,
  invitationRoute,
  confirmedRoute,
  accountRoute,
  programRoute.addChildren([
    overviewRoute,
    cardsRoute,
    cardRoute,
    batchesRoute,
    customersRoute,
    customerRoute,
    transactionsRoute,
    transactionRoute,
    designsRoute,
    reportsRoute,
    webhooksRoute,
    decisionsRoute,
    programPageRoute,
    approvalsRoute,
    keysRoute,
    peopleRoute,
    auditRoute,
    simulatorRoute,
  ]),
]);

export const createAppRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree,
    basepath: '/console',
    context: { queryClient },
    defaultPreload: 'intent',
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
    // Removes search parameters that no route has validated.
    search: { strict: true },
    // Plain search parameters: every value is text, without JSON quotes.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
      return given.length === 0
        ? ''
        : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
    },
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
