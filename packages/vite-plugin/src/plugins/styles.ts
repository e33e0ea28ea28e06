import { type Platform, sourceFor } from '@souk/pages'
import postcss, { type AcceptedPlugin, type Declaration, type Rule } from 'postcss'
import { isCSSRequest, normalizePath, type Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'
import { isSoukFile } from '../packages.ts'
import { dropBarInsets, mayHaveVh, vhToPageHeight } from '../styles/heights.ts'
import { mayHaveRpx, rpxToCss, rpxToPx } from '../styles/rpx.ts'
import { attributeOf, limitToPage, replaceTagSelectors } from '../styles/selectors.ts'
import { selectors } from '../template/tags.ts'

/** Checks for ids of CSS that Vite processes, unlike `?raw` and `?url`. */
export const isStyle = (id: string): boolean => isCSSRequest(id) && !/[?&](?:raw|url)\b/.test(id)

/**
 * Converts CSS of pages for browsers: rpx lengths, and mini app tags to their elements. It runs after preprocessors and
 * scoping, independent of the project's PostCSS configuration.
 */
export function styles(app: MiniApp): Plugin {
  return {
    name: 'souk:styles',
    transform: {
      filter: { id: /\.(?:css|scss|sass|less|styl|stylus|pcss|postcss|sss)(?:$|\?)/ },
      async handler(code, id) {
        if (!isStyle(id) || isSoukFile(id) || code === '') return undefined
        return { code: await converted(app, code, id), map: null }
      },
    },
    configResolved({ plugins }) {
      const transform = plugins.find(({ name }) => name === 'vite:css')?.transform
      if (transform && 'handler' in transform) convertGenerated(app, transform as TransformObject)
    },
  }
}

async function converted(app: MiniApp, code: string, id: string): Promise<string> {
  const from = id.replace(/\?.*/, '')
  const page = app.pageOf(normalizePath(from))?.path
  // In uni-app, browsers ignore a rule with `:deep()` in App.vue or an imported file.
  const ignoresDeep = app.isUniAppOnH5
  const options = { included: includedWidth(app), platform: app.platform, page, ignoresDeep, tags: selectors }
  const processor = postcss([pageStyles(options)])
  // Conditional comments in files inlined by @import are not processed yet.
  const css = /#ifn?def\b/.test(code) ? sourceFor(code, app.platform, app.os).text : code
  // There is no input source map here, and releases have none.
  return (await processor.process(css, { from, map: false })).css
}

type TransformObject = Extract<Plugin['transform'], { handler: unknown }>

/**
 * Converts CSS that plug-ins such as UnoCSS generate while chunks are rendered: they call Vite's plug-in themselves,
 * with the id of a file that does not exist.
 */
function convertGenerated(app: MiniApp, transform: TransformObject): void {
  const { handler } = transform
  transform.handler = async function (code, id, ...more) {
    const result = await handler.call(this, code, id, ...more)
    if (this.getModuleInfo(id) !== null) return result
    const css = typeof result === 'string' ? result : (result?.code ?? code)
    return typeof css === 'string' ? { code: await converted(app, css, id), map: null } : result
  }
}

/** Returns rpxCalcIncludeWidth (pages-json §2.3), which only H5 sets, or its default. */
export function includedWidth({ configuration }: MiniApp): number {
  return configuration.app.style.rpxCalcIncludeWidth ?? 750
}

function pageStyles({
  included,
  platform,
  page,
  ignoresDeep,
  tags,
}: {
  included: number
  platform: Platform
  /** True if rules with `:deep()` have no effect where Vue has not replaced it. */
  ignoresDeep: boolean
  /** Names of the type selectors that are replaced. */
  tags: ReadonlySet<string>
  /** Path of the page that the style belongs to. */
  page?: string | undefined
}): AcceptedPlugin {
  return {
    postcssPlugin: 'souk',
    Once(root) {
      const css = root.source?.input.css ?? ''
      const hasRpx = mayHaveRpx(css)
      const hasVh = platform !== 'H5' && mayHaveVh(css)
      // Scoped styles are already limited to their component.
      const isolated = css.includes('[data-v-') ? undefined : page
      const hasSticky = platform === 'H5' && /\bsticky\b/i.test(css)
      root.walk((node) => {
        if (node.type === 'decl') {
          if (hasRpx && mayHaveRpx(node.value)) node.value = rpxToCss(node.value, included)
          if (hasVh && mayHaveVh(node.value)) node.value = vhToPageHeight(node.value)
          if (/^-webkit-(?:backdrop-)?filter$/i.test(node.prop)) putBeforeStandard(node)
          if (/^font(?:-family)?$/i.test(node.prop)) node.value = node.value.replace(spacedFont, '')
        } else if (node.type === 'atrule') {
          if (hasRpx && mayHaveRpx(node.params)) node.params = rpxToPx(node.params)
        } else if (node.type === 'rule' && !isKeyframe(node.parent)) {
          if (ignoresDeep && node.selector.includes(':deep(')) {
            node.remove()
            return
          }
          // The page's element belongs to the runtime and has no scope id.
          node.selector = replaceTagSelectors(node.selector, tags, page)
            .replace(/(\bneu-page(?:\[data-page="[^"]*"\])?)\[data-v-\w+\]/g, '$1')
            // Neither has the document's body.
            .replace(/(?<![\w.#-])body\[data-v-\w+\]/g, page ? `body:has(neu-page${attributeOf(page)})` : '$&')
            // Vue replaces it in scoped styles; in others it has no meaning. ReDoS: the developer's own files.
            .replace(/:deep\(((?:[^()]|\([^()]*\))*)\)/g, '$1')
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

/**
 * Matches the names of fonts that begin or end with a space, with the comma after them. No font has such a name, but
 * the minifier leaves out the space.
 */
const spacedFont = /(["'])(?:\s[^"']*|[^"']*\s)\1\s*,\s*/g

/** Moves a prefixed declaration before the one without a prefix, which the minifier would drop otherwise. */
function putBeforeStandard(prefixed: Declaration): void {
  const name = prefixed.prop.toLowerCase().replace('-webkit-', '')
  const standard = prefixed.parent?.nodes.find((each) => each.type === 'decl' && each.prop.toLowerCase() === name)
  if (standard && prefixed.parent!.index(standard) < prefixed.parent!.index(prefixed)) standard.before(prefixed)
}

/** Returns whether a rule is nested and so limited by its parent rule. */
function isNested({ parent }: Rule): boolean {
  for (let each: unknown = parent; each; each = (each as { parent?: unknown }).parent)
    if ((each as { type: string }).type === 'rule') return true
  return false
}

const isSticky = (rule: Rule): boolean =>
  rule.some((each) => each.type === 'decl' && each.prop === 'position' && /sticky/i.test(each.value))

const isKeyframe = (parent: unknown): boolean =>
  typeof parent === 'object' && parent !== null && 'name' in parent && /keyframes$/i.test(String(parent.name))
