import { join } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { build, defaultClientConditions, type Rolldown } from 'vite'

/** Builds pages of tests, whose entries import the runtime from its sources. `sources` are the entries by name. */
export async function buildPages(sources: Record<string, string>): Promise<Rolldown.RolldownOutput['output']> {
  const { output } = (await build({
    root: join(import.meta.dirname, '..'),
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'test-pages',
        resolveId: (id) => (id in sources ? `\0${id}.js` : null),
        load: (id) => sources[id.replace(/^\0|\.js$/g, '')] ?? null,
      },
      vue(),
    ],
    resolve: { conditions: ['souk-source', ...defaultClientConditions] },
    define: {
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __SOUK_PLATFORM__: '"Mini App"',
      __SOUK_APP__: '{"name":"","version":"","versionCode":""}',
      __SOUK_MAP_TILES__: 'null',
      __SOUK_UNI_APP__: 'false',
      __SOUK_DEV__: 'false',
      __SOUK_TAB_BAR__: 'true',
      __SOUK_APPEARANCES__: 'true',
    },
    base: './',
    build: {
      write: false,
      target: 'esnext',
      modulePreload: { polyfill: false },
      rolldownOptions: { input: Object.keys(sources) },
    },
  })) as Rolldown.RolldownOutput
  return output
}
