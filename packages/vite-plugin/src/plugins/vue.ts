import { sourceFor } from '@souk/pages'
import vuePlugin, { type Options as VueOptions } from '@vitejs/plugin-vue'
import type { Plugin } from 'vite'
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
  const conditional = {
    ...compiler,
    parse: ((source, options) =>
      compiler.parse(
        isOwn(options?.filename ?? '') ? source : sourceFor(source, app.platform, app.os).text,
        options,
      )) as typeof compiler.parse,
  }
  return vuePlugin({
    include: [/\.[nu]?vue$/],
    compiler: conditional as unknown as NonNullable<VueOptions['compiler']>,
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
