import { consoleOperations, errors, type Operation, openOperations } from '@souk/contract'
import { compressed, operationsModule } from '@souk/web/build'
import vue from '@vitejs/plugin-vue'
import { defaultClientConditions, defineConfig } from 'vite'
import vuetify from 'vite-plugin-vuetify'

/** Parameter names of each open API operation. */
const openParameters = Object.fromEntries(
  Object.values<Operation>(openOperations).map(({ id, parameters }) => [id, Object.keys(parameters.properties)]),
)
const statements = Object.fromEntries(Object.entries(errors).map(([code, { msg }]) => [code, msg]))

/** The content security policy blocks inline scripts and allows only style tags with the server's nonce. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [
    vue(),
    vuetify({ autoImport: true, styles: true }),
    operationsModule(consoleOperations, { openParameters, statements }),
    compressed(),
  ],
  // Resolves the packages of this repository to their sources (ADR 2).
  resolve: { conditions: ['souk-source', ...defaultClientConditions] },
  define: {
    __VUE_OPTIONS_API__: 'true',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_I18N_LEGACY_API__: 'false',
    __INTLIFY_PROD_DEVTOOLS__: 'false',
  },
  html: { cspNonce: '__SOUK_NONCE__' },
  build: {
    target: 'baseline-widely-available',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Keeps the code that every page starts with in one chunk, even if a lazy chunk needs only part of it.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 25 }] } } },
    chunkSizeWarningLimit: 2_000,
  },
  server: {
    proxy: Object.fromEntries(
      ['/console/v1', '/files', '/openapi.json', '/neuopenapi', '/host/v1', '/api/v1'].map((path) => [
        path,
        'http://localhost:7070',
      ]),
    ),
  },
})
