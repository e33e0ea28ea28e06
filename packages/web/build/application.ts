import { defaultClientConditions, type PluginOption, type UserConfig } from 'vite'
import { compressed } from './compress.ts'
import { chineseTexts, usedWeights } from './fonts.ts'
import { inlineIcons } from './icons.ts'
import { repeatedImports } from './imports.ts'
import { compiledTexts } from './texts.ts'

/**
 * Returns the configuration of a web application. The content security policy of its pages blocks inline scripts and
 * allows only style tags with the server's nonce; see surfaces/web in apps/server. In development, a local server
 * answers requests to the `proxied` paths.
 */
export function webApplication({
  root,
  base,
  plugins,
  build,
  proxied,
}: {
  root: string
  base: string
  plugins: PluginOption[]
  build: UserConfig['build']
  proxied: readonly string[]
}): UserConfig {
  return {
    root,
    base,
    plugins: [plugins, compiledTexts(), inlineIcons(), usedWeights(), chineseTexts(), repeatedImports(), compressed()],
    // Resolves the packages of this repository to their sources (ADR 2).
    resolve: { conditions: ['souk-source', ...defaultClientConditions] },
    define: {
      __VUE_OPTIONS_API__: 'false',
      __VUE_PROD_DEVTOOLS__: 'false',
    },
    html: { cspNonce: '__SOUK_NONCE__' },
    build: {
      target: 'baseline-widely-available',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      ...build,
    },
    server: { proxy: Object.fromEntries(proxied.map((path) => [path, 'http://localhost:7070'])) },
  }
}
