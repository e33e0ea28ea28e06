import { relative } from 'node:path'
import { type DroppedBlock, droppedBlocks, Lines, sourceFor } from '@souk/pages'
import { isCSSRequest, normalizePath, type Plugin } from 'vite'
import { atLocation } from '../location.ts'
import type { MiniApp } from '../miniApp.ts'
import { isSoukFile } from '../packages.ts'

/** Dropped blocks that a build lists; `souk migrate` lists all. */
const mostBlocks = 20

/**
 * Applies conditional comments in scripts, styles and JSON. For .vue files it only warns: vue.ts applies them. A
 * release names the blocks of the project's own files that it drops without a branch for its platform.
 */
export function conditional(app: MiniApp): Plugin {
  const dropped = new Map<string, { text: string; blocks: readonly DroppedBlock[] }>()
  return {
    name: 'souk:conditional',
    enforce: 'pre',
    buildStart: () => dropped.clear(),
    buildEnd(error) {
      if (app.isDevelopment || error !== undefined) return
      const message = droppedText(app, dropped)
      if (message !== undefined) this.warn(message)
    },
    transform: {
      filter: { code: /#(?:ifdef|ifndef)\b/ },
      handler(code, id) {
        const [file, query] = id.split('?') as [string, string?]
        // Blocks of .vue files are already processed, except those with `src`.
        if (query !== undefined && /\bvue\b/.test(query) && !/\bsrc\b/.test(query)) return undefined
        const isComponent = /\.[nu]?vue$/.test(file)
        if (isSoukFile(file) || !(isComponent || /\.(?:[cm]?[jt]sx?|uts|json)$/.test(file) || isCSSRequest(file)))
          return undefined
        // What libraries write for other platforms is not the project's.
        if (!/\/(?:node|uni)_modules\//.test(file))
          dropped.set(file, { text: code, blocks: droppedBlocks(code, app.platform) })
        const { text, findings } = sourceFor(code, app.platform, app.os)
        // Comments of another preprocessor, such as those of pako, which are from C.
        const isOthers = findings.some(
          ({ code }) => code === 'conditional-unknown' || code === 'conditional-unbalanced',
        )
        if (isOthers && file.includes('/node_modules/')) return undefined
        for (const { code: kind, message, offset } of findings) {
          // Component libraries name builds that a project adds to uni-app.
          if (kind === 'conditional-name' && /\/(?:node|uni)_modules\//.test(file)) continue
          this.warn(atLocation(file, code, offset, message))
        }
        return isComponent || text === code ? undefined : { code: text, map: null }
      },
    },
  }
}

/** Describes the dropped blocks with their places; undefined if there are none. */
function droppedText(
  { platform, folder }: MiniApp,
  dropped: ReadonlyMap<string, { text: string; blocks: readonly DroppedBlock[] }>,
): string | undefined {
  const lines = [...dropped].flatMap(([file, { text, blocks }]) => {
    const lines = new Lines(text)
    return blocks.map(({ offset, condition, keptBy }) => {
      const { line } = lines.positionAt(offset)
      return `  ${normalizePath(relative(folder, file))}:${line} ${condition}: kept by ${keptBy.join(' and ')} only`
    })
  })
  if (lines.length === 0) return undefined
  const more = lines.length > mostBlocks ? [`  and ${lines.length - mostBlocks} more: souk migrate --all`] : []
  const count = lines.length === 1 ? '1 guarded block is' : `${lines.length} guarded blocks are`
  return [
    `${count} not in this build for ${platform}, without a branch for it:`,
    ...lines.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).slice(0, mostBlocks),
    ...more,
  ].join('\n')
}
