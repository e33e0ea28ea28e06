import type { Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'

/**
 * A page with `await` in its setup stands in Vue's Suspense, which would be in the first load of every app if the runtime imported it: such
 * a page brings it along.
 */
export function asyncPages(app: MiniApp): Plugin {
  return {
    name: 'souk:async-pages',
    transform: {
      // As vue's plug-in has written it.
      filter: { id: /\.[nu]?vue$/, code: /\basync setup\(/ },
      handler: (code, id) =>
        app.pageOf(id)
          ? { code: `${code}\nimport { Suspense } from 'vue'\n_sfc_main.suspense = Suspense\n`, map: null }
          : undefined,
    },
  }
}
