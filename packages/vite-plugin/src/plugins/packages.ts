import type { Plugin } from 'vite'

/**
 * Packages that come with this one are found from here, whatever the project has installed; and there is one Vue. `@dcloudio/uni-app` exports what the
 * runtime does.
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
