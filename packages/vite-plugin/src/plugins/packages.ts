import type { Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'
import { hasOtherVue, vueFolder } from '../packages.ts'

/** Resolves Souk's packages and Vue from here, whatever the project has installed, so that there is one Vue. */
export function packages(app: MiniApp): Plugin {
  return {
    name: 'souk:packages',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^(?:vue|@souk\/(?:runtime|shell|host-view|tags|contract|pages))(?:$|\/)/ },
      handler(source) {
        // Resolved by Vite, this would be the project's Vue, which may be too old.
        if (source === 'vue' && hasOtherVue(app.folder)) return `${vueFolder}/dist/vue.runtime.esm-bundler.js`
        return this.resolve(source, import.meta.filename, { skipSelf: true })
      },
    },
  }
}
