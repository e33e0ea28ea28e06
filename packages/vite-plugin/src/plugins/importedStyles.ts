import { readFile } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sourceFor } from '@souk/pages'
import { createIdResolver, type Logger, normalizePath, type Plugin } from 'vite'
import { atLocation } from '../location.ts'
import type { MiniApp } from '../miniApp.ts'
import { withDeepSelectors } from '../styles/selectors.ts'

/** The part of Sass's `ImporterContext` that is used here. */
interface Context {
  containingUrl: URL | null
}

const syntaxes: Readonly<Record<string, 'scss' | 'indented' | 'css'>> = {
  '.scss': 'scss',
  '.sass': 'indented',
  '.css': 'css',
}

/**
 * Applies conditional comments in files imported by SCSS and Less. Their compilers read these files themselves and drop
 * line comments before Vite plug-ins see the output.
 */
export function importedStyles(app: MiniApp): Plugin {
  let find: (url: string, importer?: string) => Promise<string | undefined>
  let logger: Logger
  const sourceOf = (text: string, file: string) => {
    const source = sourceFor(text, app.platform, app.os)
    for (const { message, offset } of source.findings) logger.warn(atLocation(file, text, offset, message))
    return withDeepSelectors(source.text)
  }
  // Replaces Vite's importer, which resolves the same files.
  const importer = {
    async canonicalize(url: string, { containingUrl }: Context) {
      // Webpack's prefix of packages.
      const path = url.startsWith('file:') ? fileURLToPath(url) : url.replace(/^~(?!@?\/)/, '')
      const file = await find(path, containingUrl?.protocol === 'file:' ? fileURLToPath(containingUrl) : undefined)
      return file && extname(file) in syntaxes ? pathToFileURL(file) : null
    },
    async load(url: URL) {
      const file = fileURLToPath(url)
      const text = sourceOf(await readFile(file, 'utf8'), file)
      return { contents: withWholeAddresses(text, dirname(file)), syntax: syntaxes[extname(file)]!, sourceMapUrl: url }
    },
  }
  const less = {
    install(_: unknown, compiler: { addPreProcessor(processor: object, priority: number): void }) {
      const process = (text: string, { fileInfo }: { fileInfo: { filename: string } }) =>
        sourceOf(text, fileInfo.filename)
      compiler.addPreProcessor({ process }, 1)
    },
  }
  return {
    name: 'souk:imported-styles',
    config: () => ({
      css: {
        preprocessorOptions: {
          scss: { importer, importers: [importer] },
          sass: { importer, importers: [importer] },
          less: { plugins: [less] },
        },
      },
    }),
    configResolved(config) {
      logger = config.logger
    },
    buildStart() {
      const { environment } = this
      const resolver = createIdResolver(environment.getTopLevelConfig(), {
        extensions: Object.keys(syntaxes),
        mainFields: ['sass', 'style'],
        conditions: ['sass', 'style', 'development|production'],
        tryIndex: true,
        tryPrefix: '_',
        preferRelative: true,
      })
      find = (url, importer) => resolver(environment, url, importer)
    },
  }
}

/** Makes URLs and imports of CSS in an imported style absolute: the importing style may be in another folder. */
function withWholeAddresses(css: string, folder: string): string {
  // Sass leaves these imports to Vite.
  const imported = css.replace(
    /@import (["'])(\.{1,2}\/[^"'\n]{1,999})\1/g,
    (written, quote: string, address: string) =>
      address.endsWith('.css') ? `@import ${quote}${normalizePath(resolve(folder, address))}${quote}` : written,
  )
  const addresses = /\burl\(\s*(?:(["'])([^"'\n]{1,999})\1|([^"'()\s]+))\s*\)/g
  return imported.replace(addresses, (written, quote: string | undefined, quoted: string, bare: string) => {
    const address = quote ? quoted : bare
    // Skip roots, fragments, schemes, aliases, packages and Sass interpolation.
    if (/^(?:[/#@~$]|[a-z][a-z\d+.-]*:)|#\{/i.test(address)) return written
    return `url(${quote ?? ''}${normalizePath(resolve(folder, address))}${quote ?? ''})`
  })
}
