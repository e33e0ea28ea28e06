import { dark, elevation, fonts, light } from '@souk/design'
import type { Plugin } from 'vitepress'

const file = '/@souk/colors.css'

/**
 * Provides the colors and fonts of `@souk/design` as a style sheet. Its own one follows the system, and the switch of
 * this site sets a class.
 */
export const colors: Plugin = {
  name: 'souk-colors',
  enforce: 'pre',
  resolveId: (id) => (id === file ? file : undefined),
  load: (id) => (id === file ? sheet() : undefined),
}

function sheet(): string {
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const rules = (prefix: string, values: object) =>
    Object.entries(values).map(([name, value]) => `--souk-${prefix}${kebab(name)}: ${value};`)
  return `:root { ${[...rules('font-', fonts), ...rules('', light), ...rules('elevation-', elevation.light)].join(' ')} }
.dark { ${[...rules('', dark), ...rules('elevation-', elevation.dark)].join(' ')} }`
}
