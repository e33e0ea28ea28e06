import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { sourceFor } from '@souk/pages'
import vuePlugin, { type Options as VueOptions } from '@vitejs/plugin-vue'
import { normalizePath, type Plugin } from 'vite'
import * as compiler from 'vue/compiler-sfc'
import type { Compat } from '../compat.ts'
import { keptImports } from '../keptImports.ts'
import type { MiniApp } from '../miniApp.ts'
import { isSoukFile } from '../packages.ts'
import { withPlainExport } from '../plainExport.ts'
import { withoutScriptModules } from '../scriptModules.ts'
import { withDeepSelectors } from '../styles/selectors.ts'
import { componentPrefix, tagsByName } from '../template/tags.ts'
import { templateTransform } from '../template/transform.ts'
import { includedWidth } from './styles.ts'

const withAssets = [...tagsByName.values()].flatMap(({ component, assets }) =>
  component && assets ? [[componentPrefix + component, [...assets]] as const] : [],
)

const asyncSetup = /\basync setup\(/

/** Compiles .vue, .nvue and .uvue files. */
export function vue(app: MiniApp, compat: Compat): Plugin {
  let linksOutside: boolean | undefined
  const transform = templateTransform({
    platform: app.platform,
    includedWidth: () => includedWidth(app),
    exists: (path) => app.files.exists(path),
    losesTagsOnly: () => app.files.exists('manifest.json'),
    putsLinksOutside: () => {
      linksOutside ??= compat.putsLinksOutside()
      return linksOutside
    },
  })
  const isRoot = (file: string) => app.rootFile !== undefined && file === normalizePath(app.rootFile)
  const isLimited = (file: string) => !isSoukFile(file) && !isRoot(file) && (app.platform === 'H5' || !app.pageOf(file))
  // @vitejs/plugin-vue reads files in several places; all of them use the parser.
  const own = new WeakMap<compiler.SFCParseResult, compiler.SFCParseResult>()
  const parse: typeof compiler.parse = (source, options) => {
    const parsed = parseFile(source, options)
    const copy = own.get(parsed) ?? { ...parsed, descriptor: copyOf(parsed.descriptor) }
    own.set(parsed, copy)
    if (isLimited(options?.filename ?? '')) limitStyles(copy.descriptor)
    return copy
  }
  const parseFile: typeof compiler.parse = (source, options) => {
    const file = options?.filename ?? ''
    if (isSoukFile(file)) return compiler.parse(source, options)
    const text = sourceOf(source, app)
    const parsed = compiler.parse(text, options)
    // Blocks for other tools, such as <route>, have no code for the page.
    parsed.descriptor.customBlocks = parsed.descriptor.customBlocks.filter(({ type }) => type === 'i18n')
    if (!isRoot(file)) return parsed
    if (isTemplateless(parsed.descriptor)) return compiler.parse(`${text}\n<template><slot /></template>`, options)
    const { template } = parsed.descriptor
    // Without a slot, the pages would not be shown. uni-app ignores the template of App.vue.
    if (template === null || template.src || /(?<![\w-])slot\b/.test(template.content)) return parsed
    const { start, end } = template.loc
    return compiler.parse(`${text.slice(0, start.offset)}<slot />${text.slice(end.offset)}`, options)
  }
  let hasTypeScript = false
  // Pages with `await` in setup need Suspense. The page imports it, to keep it out of the first load of other apps.
  const compileScript: typeof compiler.compileScript = (descriptor, options) => {
    if (!hasTypeScript) useTypeScript(app)
    hasTypeScript = true
    // Otherwise the types are removed by `types`; Vue's plug-in expects this name in JavaScript.
    const name = app.isTsconfigReadable ? {} : { genDefaultAs: '_sfc_main' }
    const compiled = compiler.compileScript(descriptor, { ...options, ...name, fs: fileSystem })
    const script = { ...compiled, content: keptImportsOf(descriptor, app.tsconfig) + compiled.content }
    if (!app.isTsconfigReadable) hideLanguage(descriptor)
    let { content } = script
    if (asyncSetup.test(content) && app.pageOf(descriptor.filename))
      content = `${content.replace(asyncSetup, 'suspense: _Suspense, $&')}\nimport { Suspense as _Suspense } from 'vue'\n`
    if (descriptor.cssVars.length > 0 && !isSoukFile(descriptor.filename)) content = withRpxInVariables(content)
    return { ...script, content }
  }
  return vuePlugin({
    include: [/\.[nu]?vue$/],
    compiler: { ...compiler, parse, compileScript } as unknown as NonNullable<VueOptions['compiler']>,
    template: {
      compilerOptions: {
        isCustomElement: (tag) => tag.startsWith('neu-'),
        // A comment beside the root element would make a fragment, which does not get the attributes of its parent.
        comments: false,
        nodeTransforms: [transform],
        get expressionPlugins() {
          return app.isTsconfigReadable ? [] : ['typescript' as const]
        },
      },
      transformAssetUrls: {
        tags: {
          img: ['src'],
          source: ['src'],
          ...Object.fromEntries(withAssets),
        },
      },
    },
  }) as Plugin
}

/** Converts lengths in the values of `v-bind()` in style sheets, which Vue sets as custom properties. */
function withRpxInVariables(script: string): string {
  return `${script.replaceAll('_useCssVars(', '_useVariables(')}
import { rpxStyle as _rpxOfVariables } from '@souk/runtime'
function _useVariables(read) {
  _useCssVars((component) => _rpxOfVariables(read(component)))
}
`
}

/** Limits all styles of a component to its own elements, as `scoped` does (ADR 302). */
function limitStyles(descriptor: compiler.SFCDescriptor): void {
  for (const style of descriptor.styles) style.scoped = true
  descriptor.slotted = descriptor.styles.some(({ content }) => /(?:::v-|:)slotted\(/.test(content))
}

/**
 * Copies a descriptor. The compiler returns the same one for the same text to all builds of a process, for which Vue's
 * plug-in would then use the compiled script and the limited styles of the first build.
 */
function copyOf(descriptor: compiler.SFCDescriptor): compiler.SFCDescriptor {
  const { script, scriptSetup, styles } = descriptor
  return {
    ...descriptor,
    script: script && { ...script },
    scriptSetup: scriptSetup && { ...scriptSetup },
    styles: styles.map((style) => ({ ...style })),
  }
}

/** Prevents Vue's plug-in from removing types by the project's tsconfig.json. */
function hideLanguage({ script, scriptSetup }: compiler.SFCDescriptor): void {
  for (const block of [script, scriptSetup]) if (block) block.lang = 'js'
}

/** Returns imports of a component that its compiler drops, in the order in which they run. */
function keptImportsOf(descriptor: compiler.SFCDescriptor, tsconfig: string | undefined): string {
  const { script, scriptSetup, filename } = descriptor
  if (isSoukFile(filename) || filename.includes('/node_modules/')) return ''
  return [script, scriptSetup]
    .filter((block) => block !== null)
    .map(({ lang, content }) => (lang === 'ts' || lang === 'tsx' ? keptImports(content, lang, filename, tsconfig) : ''))
    .join('')
}

/** Files from which components import the types of their props and events. */
const fileSystem = {
  fileExists: existsSync,
  readFile: (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined),
}

/** Lets Vue's compiler resolve types that are imported by an alias or from a package, if TypeScript is installed. */
function useTypeScript({ folder }: MiniApp): void {
  const require = createRequire(join(folder, 'package.json'))
  compiler.registerTS(() => {
    try {
      return require('typescript') as never
    } catch {
      return undefined as never
    }
  })
}

/** Returns the source for Vue's compiler: without what only uni-app's compiler knows. */
function sourceOf(source: string, { platform, os }: MiniApp): string {
  const { text } = withoutScriptModules(sourceFor(source, platform, os).text)
  // ReDoS: the developer's own files.
  const typed = text.replace(/(?<=<script\b[^>]*\blang=["'])uts(?=["'])/g, 'ts')
  // ReDoS: the developer's own files.
  const deep = withPlainExport(typed).replace(/(?<=<style\b[^>]*>)[\s\S]*?(?=<\/style\s*>)/g, withDeepSelectors)
  // ReDoS: the developer's own files.
  return deep.replace(/(?<=<style\b[^>]*\blang=["']sass["'][^>]*>)[\s\S]*?(?=<\/style\s*>)/g, withoutIndent)
}

/** Removes the indentation that all lines have, with which Sass does not start. */
function withoutIndent(style: string): string {
  const indents = [...style.matchAll(/^([ \t]*)\S/gm)].map(([, indent]) => indent!)
  const common = indents.reduce((a, b) => (a.startsWith(b) ? b : b.startsWith(a) ? a : ''), indents[0] ?? '')
  return common === '' ? style : style.replaceAll(`\n${common}`, '\n')
}

/** Checks if App.vue has neither a template nor `render`. It gets a slot for the pages. */
const isTemplateless = ({ template, script, scriptSetup }: compiler.SFCDescriptor): boolean =>
  template === null && (scriptSetup !== null || !script || !(script.src || /\brender\b/.test(script.content)))
