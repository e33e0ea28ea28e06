import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

/** The weights that styles use. The font of the first paint has 100 to 900, which is a third of its size. */
const weights = { min: 400, max: 700 }

/** The characters for which browsers use this font, by the `unicode-range` of its package. */
const latin = [
  [0x20, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
  [0x2bb, 0x2bc],
  [0x2c6, 0x2c6],
  [0x2da, 0x2da],
  [0x2dc, 0x2dc],
  [0x304, 0x304],
  [0x308, 0x308],
  [0x329, 0x329],
  [0x2000, 0x206f],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2191, 0x2191],
  [0x2193, 0x2193],
  [0x2212, 0x2212],
  [0x2215, 0x2215],
  [0xfeff, 0xfeff],
  [0xfffd, 0xfffd],
] as const

const characters = latin
  .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
  .map((code) => String.fromCodePoint(code))
  .join('')

/** Removes the weights of Inter that no style uses. Features such as figures of equal width are kept. */
export function usedWeights(): Plugin {
  return {
    name: 'souk-fonts',
    apply: 'build',
    async generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || !/inter-latin-wght-[^/]*\.woff2$/.test(file.fileName)) continue
        const options = { targetFormat: 'woff2', variationAxes: { wght: weights } } as const
        file.source = await subsetFont(Buffer.from(file.source), characters, options)
      }
    },
  }
}

const repository = join(import.meta.dirname, '../../..')
/** Lists the files with the Chinese texts of an application and of the packages that it uses. */
const textFiles = (root: string) => [
  ...globSync('src/**/zh-CN.ts', { cwd: root }).map((file) => join(root, file)),
  ...globSync('packages/*/src/**/zh-CN.ts', { cwd: repository }).map((file) => join(repository, file)),
]

/**
 * Declares further slices of the Chinese font, each with only the characters of a slice that the application's texts
 * use. Browsers prefer the last declaration that has a character, so they load a slice of the package, most of which
 * are 60 KB, only for other characters, such as those of names.
 */
export function chineseTexts(): Plugin {
  let root = ''
  let folder = ''
  return {
    name: 'souk-chinese-texts',
    apply: 'build',
    enforce: 'pre',
    configResolved(config) {
      root = config.root
      folder = join(config.cacheDir, 'souk-chinese-texts')
    },
    transform: {
      filter: { id: /fonts[\\/]chinese\.css$/ },
      async handler(code, id) {
        const files = textFiles(root)
        const used = new Set(files.flatMap((file) => [...readFileSync(file, 'utf8')]))
        const styles = createRequire(id).resolve('@fontsource-variable/noto-sans-sc/wght.css')
        const faces = readFileSync(styles, 'utf8').match(/@font-face\s*\{[^}]+\}/g) ?? []
        mkdirSync(folder, { recursive: true })
        const added: string[] = []
        for (const face of faces) {
          const [, file] = /url\(\.\/files\/([^)]+)\.woff2\)/.exec(face) ?? []
          if (!file || !/-sc-\d+-/.test(file)) continue
          const characters = charactersOf(face).filter((character) => used.has(character))
          if (characters.length === 0) continue
          const source = readFileSync(join(dirname(styles), `files/${file}.woff2`))
          const options = { targetFormat: 'woff2', variationAxes: { wght: weights } } as const
          const subset = join(folder, `${file}-texts.woff2`)
          writeFileSync(subset, await subsetFont(source, characters.join(''), options))
          added.push(
            face
              .replace(/url\([^)]+\)/, `url(${JSON.stringify(subset.replaceAll('\\', '/'))})`)
              .replace(/(unicode-range:)[^;}]+/, `$1 ${characters.map(rangeOf).join(',')}`),
          )
        }
        if (added.length === 0) throw new Error('No slice of the Chinese font has a character of the texts')
        return { code: `${code}\n${added.join('\n')}`, map: null }
      },
    },
  }
}

const rangeOf = (character: string) => `U+${character.codePointAt(0)?.toString(16)}`

/** Returns the characters of the `unicode-range` of a `@font-face` rule. */
function charactersOf(face: string): string[] {
  const ranges = /unicode-range:([^;}]+)/.exec(face)?.[1]?.split(',') ?? []
  return ranges.flatMap((range) => {
    const [first = 0, last = first] = range
      .trim()
      .slice(2)
      .split('-')
      .map((code) => Number.parseInt(code, 16))
    return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
  })
}
