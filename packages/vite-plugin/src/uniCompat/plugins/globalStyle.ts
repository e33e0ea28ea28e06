import { normalizePath, type Plugin, type SassPreprocessorOptions, type UserConfig } from 'vite'
import type { MiniApp } from '../../miniApp.ts'
import { isSoukFile } from '../../packages.ts'

type AdditionalData = NonNullable<SassPreprocessorOptions['additionalData']>
/** Content, with or without its source map. */
type Added = Awaited<ReturnType<Exclude<AdditionalData, string>>>

/** Notices of Sass about syntax that the ecosystem's libraries still use. */
const silenced: NonNullable<SassPreprocessorOptions['silenceDeprecations']> = [
  'import',
  'global-builtin',
  'color-functions',
  'slash-div',
]

/** Injects uni.scss into every SCSS style, before the styles that vite.config adds. */
export function globalStyle(app: MiniApp): Plugin {
  return {
    name: 'souk:global-style',
    config({ css }) {
      const file = app.files.exists('uni.scss') ? normalizePath(`${app.root}/uni.scss`) : undefined
      const own = additionalDataOf(css)
      const additionalData = async (source: string, name: string) => {
        if (isSoukFile(name)) return source
        const added = await withAdditionalData(source, name, own)
        return file === undefined || typeof added !== 'string' || normalizePath(name) === file
          ? added
          : importAfterUses(added, file)
      }
      // The API of Sass that uni-app uses finds files from the working directory.
      const shared = { silenceDeprecations: silenced, quietDeps: true, loadPaths: [app.folder] }
      return {
        css: {
          preprocessorOptions: {
            scss: { additionalData, ...shared },
            sass: shared,
          },
        },
      }
    },
  }
}

const additionalDataOf = (css: UserConfig['css']): AdditionalData | undefined =>
  css?.preprocessorOptions?.scss?.additionalData

async function withAdditionalData(source: string, file: string, own: AdditionalData | undefined): Promise<Added> {
  return typeof own === 'function' ? own(source, file) : (own ?? '') + source
}

/** Inserts an import after `@use` and `@forward`, which Sass allows only before other rules. */
function importAfterUses(source: string, file: string): string {
  // ReDoS: the developer's own styles.
  const rules = /\/\*[\s\S]*?\*\/|\/\/.*|^[ \t]*@(?:use|forward)\b[^;]*;/gm
  const uses = [...source.matchAll(rules)].filter(([text]) => !text.startsWith('/'))
  const at = uses.map((match) => match.index + match[0].length).at(-1) ?? 0
  return `${source.slice(0, at)}@import ${JSON.stringify(file)};${source.slice(at)}`
}
