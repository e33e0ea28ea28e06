import { createRequire } from 'node:module'
import { isAbsolute, join, resolve } from 'node:path'
import { defaultClientConditions, type Plugin, searchForWorkspaceRoot } from 'vite'
import { constantsOf } from '../constants.ts'
import type { MiniApp } from '../miniApp.ts'
import { outFolders } from '../options.ts'
import { pluginFolder, runsFromSources, runtimeFolder, tagsFolder, vueFolder } from '../packages.ts'

/** Reads the project and configures Vite. It comes first: the other plug-ins use what it has read. */
export function project(app: MiniApp): Plugin {
  return {
    name: 'souk:project',
    enforce: 'pre',
    async config(config, { command }) {
      app.isDevelopment = command === 'serve'
      const path = app.options.project ?? config.root ?? '.'
      await app.open(isAbsolute(path) ? path : resolve(path))
      const { folder, root } = app
      return {
        root,
        base: config.base ?? './',
        publicDir: false,
        envDir: folder,
        cacheDir: config.cacheDir ?? join(folder, 'node_modules/.vite'),
        appType: 'custom',
        define: constantsOf(app),
        resolve: {
          conditions: [...(runsFromSources ? ['souk-source'] : []), ...defaultClientConditions],
          alias: { '@': root },
          extensions: ['.mjs', '.js', '.mts', '.ts', '.jsx', '.tsx', '.json', '.vue', '.nvue', '.uvue'],
        },
        optimizeDeps: {
          // Without Vue in the project, Vite discovers it with the first page.
          include: hasVue(folder) ? ['vue'] : [],
          exclude: ['@souk/runtime', '@souk/tags', '@souk/contract', '@souk/pages', '@dcloudio/uni-app'],
        },
        server: {
          fs: {
            allow: [searchForWorkspaceRoot(folder), folder, runtimeFolder, tagsFolder, pluginFolder, vueFolder],
          },
        },
        build: {
          outDir: config.build?.outDir ?? join(folder, 'dist', outFolders[app.platform]),
          emptyOutDir: true,
          target: 'baseline-widely-available',
          modulePreload: { polyfill: false },
          reportCompressedSize: false,
          chunkSizeWarningLimit: 2000,
        },
      }
    },
  }
}

function hasVue(folder: string): boolean {
  try {
    return createRequire(join(folder, 'package.json')).resolve('vue') !== ''
  } catch {
    return false
  }
}
