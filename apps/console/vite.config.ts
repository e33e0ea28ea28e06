import { existsSync, readFileSync } from 'node:fs'
import { consoleOperations, errors, type Operation, openOperations } from '@souk/contract'
import { operationsModule, webApplication } from '@souk/web/build'
import vue from '@vitejs/plugin-vue'

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

export default webApplication({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [
    // Vue reads imported types of properties. TypeScript 7 gives it no access to files, as version 6 does.
    vue({ script: { fs: { fileExists: existsSync, readFile: (file) => readFileSync(file, 'utf8') } } }),
    operationsModule(consoleOperations, { open: { openParameters, openRequests }, statements }),
  ],
  build: {
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Keeps the code that every page starts with in one chunk, even if a lazy chunk needs only part of it.
            { name: 'shared', minShareCount: 25 },
          ],
        },
      },
    },
    chunkSizeWarningLimit: 2_000,
  },
  proxied: ['/console/v1', '/files', '/openapi.json', '/neuopenapi', '/host/v1', '/api/v1'],
})
