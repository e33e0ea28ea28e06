import { sourceFor } from '@souk/pages'
import vuePlugin, { type Options as VueOptions } from '@vitejs/plugin-vue'
import { normalizePath, type Plugin } from 'vite'
import * as compiler from 'vue/compiler-sfc'
import type { MiniApp } from '../miniApp.ts'
import { isSoukFile } from '../packages.ts'
import { componentPrefix, tagsByName } from '../template/tags.ts'
import { templateTransform } from '../template/transform.ts'
import { includedWidth } from './styles.ts'

const withAssets = [...tagsByName.values()].flatMap(({ component, assets }) =>
  component && assets ? [[componentPrefix + component, [...assets]] as const] : [],
)

const asyncSetup = /\basync setup\(/

/** Compiles .vue, .nvue and .uvue files. */
export function vue(app: MiniApp): Plugin {
  const transform = templateTransform({
    platform: app.platform,
    includedWidth: () => includedWidth(app),
    exists: (path) => app.files.exists(path),
  })
  // @vitejs/plugin-vue reads files in several places; all of them use the parser.
  const parse: typeof compiler.parse = (source, options) => {
    const file = options?.filename ?? ''
    if (isSoukFile(file)) return compiler.parse(source, options)
    const { text } = sourceFor(source, app.platform, app.os)
    const parsed = compiler.parse(text, options)
    return isTemplateless(parsed.descriptor) && app.rootFile !== undefined && file === normalizePath(app.rootFile)
      ? compiler.parse(`${text}\n<template><slot /></template>`, options)
      : parsed
  }
  // Pages with `await` in setup need Suspense. The page imports it, to keep it out of the first load of other apps.
  const compileScript: typeof compiler.compileScript = (descriptor, options) => {
    const script = compiler.compileScript(descriptor, options)
    if (!asyncSetup.test(script.content) || !app.pageOf(descriptor.filename)) return script
    const content = script.content.replace(asyncSetup, 'suspense: _Suspense, $&')
    return { ...script, content: `${content}\nimport { Suspense as _Suspense } from 'vue'\n` }
  }
  return vuePlugin({
    include: [/\.[nu]?vue$/],
    compiler: { ...compiler, parse, compileScript } as unknown as NonNullable<VueOptions['compiler']>,
    template: {
      compilerOptions: {
        isCustomElement: (tag) => tag.startsWith('neu-'),
        nodeTransforms: [transform],
      },
      transformAssetUrls: {
        tags: {
          img: ['src'],
          video: ['src', 'poster'],
          audio: ['src'],
          source: ['src'],
          ...Object.fromEntries(withAssets),
        },
      },
    },
  }) as Plugin
}

/** Checks if App.vue renders nothing itself, so that it gets a slot for the pages. Options may contain `render`. */
const isTemplateless = ({ template, script, scriptSetup }: compiler.SFCDescriptor): boolean =>
  template === null && (scriptSetup !== null || !script || !(script.src || /\brender\b/.test(script.content)))
