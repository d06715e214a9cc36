import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The content policy allows no data: fonts and no inline styles: every asset is a file of its own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // `npm run dev -w console` beside a running server: pages reload on change, data come from the server.
  server: { proxy: { '/console/api': 'http://127.0.0.1:8080' } },
});
