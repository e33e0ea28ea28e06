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
