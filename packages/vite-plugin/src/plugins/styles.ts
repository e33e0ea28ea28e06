import { type Platform, sourceFor } from '@souk/pages'
import postcss, { type AcceptedPlugin, type Rule } from 'postcss'
import { isCSSRequest, normalizePath, type Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'
import { isSoukFile } from '../packages.ts'
import { dropBarInsets, mayHaveVh, vhToPageHeight } from '../styles/heights.ts'
import { mayHaveRpx, rpxToCss, rpxToPx } from '../styles/rpx.ts'
import { limitToPage, replaceTagSelectors } from '../styles/selectors.ts'
import { selectors } from '../template/tags.ts'

/** A vite id of CSS that is not the text alone. */
const isStyle = (id: string) => isCSSRequest(id) && !/[?&](?:raw|url)\b/.test(id)

/**
 * CSS of pages as browsers know it: rpx, and the tags of mini apps as the elements that draw them. It comes after preprocessors and scoping, so it is no
 * matter what a style was written in; a project's own PostCSS settings stay its own.
 */
export function styles(app: MiniApp): Plugin {
  return {
    name: 'souk:styles',
    transform: {
      filter: { id: /\.(?:css|scss|sass|less|styl|stylus|pcss|postcss|sss)(?:$|\?)/ },
      async handler(code, id) {
        if (!isStyle(id) || isSoukFile(id) || code === '') return undefined
        const from = id.replace(/\?.*/, '')
        const page = app.pageOf(normalizePath(from))?.path
        const processor = postcss([pageStyles({ included: includedWidth(app), platform: app.platform, page })])
        // What @import has brought in has met no conditional comments until now.
        const css = /#ifn?def\b/.test(code) ? sourceFor(code, app.platform, app.os).text : code
        // Neither preprocessors nor vite give a map of their own here, and none is made for releases.
        return { code: (await processor.process(css, { from, map: false })).css, map: null }
      },
    },
  }
}

/** §2.3 rpxCalcIncludeWidth, of H5; elsewhere its default. */
export function includedWidth({ configuration }: MiniApp): number {
  return configuration.app.style.rpxCalcIncludeWidth ?? 750
}

function pageStyles({
  included,
  platform,
  page,
}: {
  included: number
  platform: Platform
  /** Path of the page whose own style it is. */
  page?: string | undefined
}): AcceptedPlugin {
  return {
    postcssPlugin: 'souk',
    Once(root) {
      const css = root.source?.input.css ?? ''
      const hasRpx = mayHaveRpx(css)
      const hasVh = platform !== 'H5' && mayHaveVh(css)
      // A scoped style says itself whom it means.
      const isolated = css.includes('[data-v-') ? undefined : page
      const hasSticky = platform === 'H5' && /\bsticky\b/i.test(css)
      root.walk((node) => {
        if (node.type === 'decl') {
          if (hasRpx && mayHaveRpx(node.value)) node.value = rpxToCss(node.value, included)
          if (hasVh && mayHaveVh(node.value)) node.value = vhToPageHeight(node.value)
        } else if (node.type === 'atrule') {
          if (hasRpx && mayHaveRpx(node.params)) node.params = rpxToPx(node.params)
        } else if (node.type === 'rule' && !isKeyframe(node.parent)) {
          // The page's element is the runtime's and bears no mark of the component whose style is scoped.
          node.selector = replaceTagSelectors(node.selector, selectors, page).replace(
            /(\bneu-page(?:\[data-page="[^"]*"\])?)\[data-v-\w+\]/g,
            '$1',
          )
          if (isolated !== undefined && !isNested(node)) {
            node.selectors = node.selectors.map((each) => limitToPage(each, isolated))
          }
          if (hasSticky && isSticky(node)) {
            node.each((each) => {
              if (each.type === 'decl') each.value = dropBarInsets(each.value)
            })
          }
        }
      })
    },
  }
}

/** What is nested goes by the rule around it. */
function isNested({ parent }: Rule): boolean {
  for (let each: unknown = parent; each; each = (each as { parent?: unknown }).parent)
    if ((each as { type: string }).type === 'rule') return true
  return false
}

const isSticky = (rule: Rule): boolean =>
  rule.some((each) => each.type === 'decl' && each.prop === 'position' && /sticky/i.test(each.value))

const isKeyframe = (parent: unknown): boolean =>
  typeof parent === 'object' && parent !== null && 'name' in parent && /keyframes$/i.test(String(parent.name))
