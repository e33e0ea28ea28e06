import type { Plugin } from 'vite'
import { isSoukFile } from '../packages.ts'

/** Defines `uniCloud` for modules that mention it, before they run. */
export function uniCloud(): Plugin {
  return {
    name: 'souk:uni-cloud',
    transform: {
      filter: { id: /\.(?:[nu]?vue|uts|[cm]?[jt]sx?)(?:$|\?)/, code: /\buniCloud\b/ },
      handler(code, id) {
        if (isSoukFile(id) || /[?&]type=style\b/.test(id)) return undefined
        return { code: `import '@souk/runtime/uniCloud';${code}`, map: null }
      },
    },
  }
}
