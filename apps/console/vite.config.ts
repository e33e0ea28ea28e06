import { consoleOperations, errors, type Operation, openOperations } from '@souk/contract'
import { leanVuetify, operationsModule, webApplication } from '@souk/web/build'
import vue from '@vitejs/plugin-vue'
import vuetify from 'vite-plugin-vuetify'

/** Parameter names of each open API operation. */
const openParameters = Object.fromEntries(
  Object.values<Operation>(openOperations).map(({ id, parameters }) => [id, Object.keys(parameters.properties)]),
)
/** Request properties of each open API operation, by id. */
const openRequests = Object.fromEntries(
  Object.values<Operation>(openOperations).map(({ id, method, path, auth, file }) => [
    id,
    { method, path, signed: auth === 'sign', file: file === true },
  ]),
)
const statements = Object.fromEntries(Object.entries(errors).map(([code, { msg }]) => [code, msg]))

/** Modules that only forms, dialogs, menus and lists need; the first page has none of them until they are used. */
const formsAndLists =
  /components[\\/]V(?:Text|Field|Input|Counter|Label|Messages|Dialog|Select|Snackbar|Checkbox|Form|Alert|Combobox|Autocomplete|VirtualScroll|Overlay|Menu|Table|DataTable|Tabs|Window|SlideGroup|Highlight)|(?:composables|utilities)[\\/](?:focusTrap|form|validation|focus|filter|virtual|toHighlight|diacritics)|ConfirmDialog|ProblemAlert|CopyText|ui[\\/]rules|directives[\\/](?:touch-hold|click-outside)|composables[\\/]stack|util[\\/]getScrollParent/

export default webApplication({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [
    vue(),
    vuetify({ autoImport: true, styles: true }),
    leanVuetify(),
    operationsModule(consoleOperations, { open: { openParameters, openRequests }, statements }),
  ],
  build: {
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Keeps the code that every page starts with in one chunk, even if a lazy chunk needs only part of it.
            { name: 'shared', minShareCount: 25, test: (id) => !formsAndLists.test(id) },
            // The shell needs both on every page: one file is smaller than two.
            { name: 'menus', test: /ui[\\/](?:LazyMenu|MenuButton)\.vue/ },
          ],
        },
      },
    },
    chunkSizeWarningLimit: 2_000,
  },
  proxied: ['/console/v1', '/files', '/openapi.json', '/neuopenapi', '/host/v1', '/api/v1'],
})
