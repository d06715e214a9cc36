import { MantineProvider } from '@mantine/core';
import '@mantine/core/styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Toaster } from './components/toaster.tsx';
import { watchChunks } from './lib/chunks.ts';
import { createQueryClient } from './lib/query-client.ts';
import { createAppRouter } from './router.ts';
import { cssVariables, theme } from './theme.ts';
import './font.css';
import './theme.css';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// Modals add a style element that prevents scrolling of the page; the library that creates it reads the nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

watchChunks();
const queryClient = createQueryClient(() => {
  const { pathname, href } = router.state.location;
  if (pathname === '/sign-in') return;
  // Navigates first: the current page needs the session as long as it is shown.
  void router.navigate({ to: '/sign-in', search: { next: href } }).then(() => queryClient.clear());
});
const router = createAppRouter(queryClient);

const root = document.getElementById('app');
if (root)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Toaster />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
