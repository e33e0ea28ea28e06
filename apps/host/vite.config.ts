import { join } from 'node:path'
import { hostOperations } from '@souk/contract'
import { chineseTexts, compressed, inlineIcons, operationsModule, usedWeights } from '@souk/web/build'
import vue from '@vitejs/plugin-vue'
import { defaultClientConditions, defineConfig } from 'vite'

/** The content security policy forbids inline scripts; see surfaces/web in apps/server. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/host/',
  plugins: [vue(), operationsModule(hostOperations), inlineIcons(), usedWeights(), chineseTexts(), compressed()],
  // The packages of this repository are read from their sources (ADR 2).
  resolve: { conditions: ['souk-source', ...defaultClientConditions] },
  define: {
    __VUE_OPTIONS_API__: 'false',
    __VUE_PROD_DEVTOOLS__: 'false',
  },
  html: { cspNonce: '__SOUK_NONCE__' },
  build: {
    target: 'baseline-widely-available',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: ['index.html', 'embed.html'].map((file) => join(import.meta.dirname, file)) },
  },
  server: {
    proxy: Object.fromEntries(
      ['/host/v1', '/console/v1', '/files', '/mini', '/web-view'].map((path) => [path, 'http://localhost:7070']),
    ),
  },
})
