import { sourceFor } from '@souk/pages'
import vuePlugin, { type Options as VueOptions } from '@vitejs/plugin-vue'
import { normalizePath, type Plugin } from 'vite'
import * as compiler from 'vue/compiler-sfc'
import type { MiniApp } from '../miniApp.ts'
import { isOwn } from '../packages.ts'
import { componentPrefix, tagsByName } from '../template/tags.ts'
import { templateTransform } from '../template/transform.ts'
import { includedWidth } from './styles.ts'

const withAssets = [...tagsByName.values()].flatMap(({ component, assets }) =>
  component && assets ? [[componentPrefix + component, [...assets]] as const] : [],
)

/** Compiles .vue files, and .nvue and .uvue ones as if they were such. */
export function vue(app: MiniApp): Plugin {
  const transform = templateTransform({
    platform: app.platform,
    includedWidth: () => includedWidth(app),
    exists: (path) => app.files.exists(path),
  })
  // The plug-in reads files at several places, of which only the parser sees all.
  const parse: typeof compiler.parse = (source, options) => {
    const file = options?.filename ?? ''
    if (isOwn(file)) return compiler.parse(source, options)
    const { text } = sourceFor(source, app.platform, app.os)
    const parsed = compiler.parse(text, options)
    return isBare(parsed.descriptor) && app.rootFile !== undefined && file === normalizePath(app.rootFile)
      ? compiler.parse(`${text}\n<template><slot /></template>`, options)
      : parsed
  }
  return vuePlugin({
    include: [/\.[nu]?vue$/],
    compiler: { ...compiler, parse } as unknown as NonNullable<VueOptions['compiler']>,
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

/** Whether an App.vue draws nothing, and so means that its pages stand in it: it may be styles alone. Options may have a render function. */
const isBare = ({ template, script, scriptSetup }: compiler.SFCDescriptor): boolean =>
  template === null && (script === null || scriptSetup !== null)
