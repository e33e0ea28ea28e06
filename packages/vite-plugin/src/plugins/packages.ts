import type { Plugin } from 'vite'

/**
 * Resolves Souk's packages and Vue from here, regardless of what the project has installed, so that there is one Vue.
 * `@dcloudio/uni-app` is an alias of the runtime.
 */
export function packages(): Plugin {
  return {
    name: 'souk:packages',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^(?:vue|@souk\/(?:runtime|tags|contract|pages)|@dcloudio\/uni-app)(?:$|\/)/ },
      handler(source) {
        const name = source.replace(/^@dcloudio\/uni-app.*/, '@souk/runtime')
        return this.resolve(name, import.meta.filename, { skipSelf: true })
      },
    },
  }
}
