import type { Plugin } from 'vite'
import type { MiniApp } from '../../miniApp.ts'
import { isSoukFile } from '../../packages.ts'
import { scriptsAndComponents, withParts } from '../../plugins/mentions.ts'

/** Loads what is behind `uniCloud`, `$route`, and `$router` on H5 before the modules that mention it. */
export function globals(app: MiniApp): Plugin {
  return {
    name: 'souk:globals',
    transform: {
      filter: { id: scriptsAndComponents, code: /\buniCloud\b|\$router?\b/ },
      handler(code, id) {
        if (isSoukFile(id) || /[?&]type=style\b/.test(id)) return undefined
        const parts = [
          ...(/\buniCloud\b/.test(code) ? ['uniCloud'] : []),
          ...(/\$route\b/.test(code) ? ['currentRoute'] : []),
          ...(app.platform === 'H5' && /\$router\b/.test(code) ? ['router'] : []),
        ]
        return parts.length === 0 ? undefined : withParts(parts, code)
      },
    },
  }
}
