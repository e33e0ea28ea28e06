import postcss, { type AcceptedPlugin, type Processor } from 'postcss'
import { isCSSRequest, type Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'
import { isOwn } from '../packages.ts'
import { mayHaveRpx, rpxToCss, rpxToPx } from '../styles/rpx.ts'
import { withTagElements } from '../styles/selectors.ts'
import { selectors } from '../template/tags.ts'

/** A vite id of CSS that is not the text alone. */
const isStyle = (id: string) => isCSSRequest(id) && !/[?&](?:raw|url)\b/.test(id)

/**
 * CSS of pages as browsers know it: rpx, and the tags of mini apps as the elements that draw them. It comes after preprocessors and scoping, so it is no
 * matter what a style was written in; a project's own PostCSS settings stay its own.
 */
export function styles(app: MiniApp): Plugin {
  let included: number | undefined
  let processor: Processor
  return {
    name: 'souk:styles',
    transform: {
      filter: { id: /\.(?:css|scss|sass|less|styl|stylus|pcss|postcss|sss)(?:$|\?)/ },
      async handler(code, id) {
        if (!isStyle(id) || isOwn(id) || code === '') return undefined
        const wanted = includedWidth(app)
        if (wanted !== included) {
          included = wanted
          processor = postcss([forBrowsers(wanted)])
        }
        const from = id.replace(/\?.*/, '')
        // Neither preprocessors nor vite give a map of their own here, and none is made for releases.
        return { code: (await processor.process(code, { from, map: false })).css, map: null }
      },
    },
  }
}

/** §2.3 rpxCalcIncludeWidth, of H5; elsewhere its default. */
export function includedWidth({ configuration }: MiniApp): number {
  return configuration.app.style.rpxCalcIncludeWidth ?? 750
}

export function forBrowsers(included: number): AcceptedPlugin {
  return {
    postcssPlugin: 'souk',
    Once(root) {
      const hasRpx = mayHaveRpx(root.source?.input.css ?? '')
      root.walk((node) => {
        if (node.type === 'decl') {
          if (hasRpx && mayHaveRpx(node.value)) node.value = rpxToCss(node.value, included)
        } else if (node.type === 'atrule') {
          if (hasRpx && mayHaveRpx(node.params)) node.params = rpxToPx(node.params)
        } else if (node.type === 'rule' && !isKeyframe(node.parent)) {
          // The page's element is the runtime's and bears no mark of the component whose style is scoped.
          node.selector = withTagElements(node.selector, selectors).replace(/(\bneu-page)\[data-v-\w+\]/g, '$1')
        }
      })
    },
  }
}

const isKeyframe = (parent: unknown): boolean =>
  typeof parent === 'object' && parent !== null && 'name' in parent && /keyframes$/i.test(String(parent.name))
