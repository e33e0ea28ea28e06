import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** Returns the source that replaces a component of Vuetify, which these applications never render. */
const leftOut = (name: string) => `
  export const ${name} = {
    setup() { throw new Error('${name} is left out of the bundle: packages/web/build/vuetify.ts') },
  }`

/** Replacements of Vuetify's modules that every application loads, by the end of their path. */
const replacements: Record<string, string | ((source: string) => string)> = {
  // Reads a member of Vue 3.6 from the namespace of Vue, which would keep all of Vue in the bundle.
  '@vuetify/v0/dist/utilities/instance.mjs': `
    import { getCurrentInstance } from 'vue'
    export const instanceExists = () => getCurrentInstance() !== null
    export const instanceName = () => getCurrentInstance()?.type?.name`,
  // Only calendars and date pickers use dates.
  'vuetify/lib/composables/date/adapters/vuetify.js': 'export class VuetifyDateAdapter {}',
  // The application passes its own texts.
  'vuetify/lib/locale/adapters/vuetify.js': `
    export function createVuetifyAdapter() { throw new Error('createVuetify needs a locale adapter') }`,
  // Alerts stay until they are closed.
  'vuetify/lib/components/VAlert/autoDismiss.js': `
    export const useAutoDismiss = () => ({})`,
  'vuetify/lib/components/VBadge/VBadge.js': leftOut('VBadge'),
  // Imports the component only for its symbol, which would load tabs with the first chip.
  'vuetify/lib/components/VChip/VChip.js': (source) =>
    source.replace(
      /import \{ VSlideGroupSymbol \} from "[^"]+";/,
      "const VSlideGroupSymbol = Symbol.for('vuetify:v-slide-group');",
    ),
  'vuetify/lib/components/VChipGroup/VChipGroup.js': `
    export const VChipGroupSymbol = Symbol.for('vuetify:v-chip-group')
    ${leftOut('VChipGroup')}`,
  'vuetify/lib/components/VImg/VImg.js': leftOut('VImg'),
  // Progress is one flat line.
  'vuetify/lib/components/VProgressLinear/chunks.js': `
    export const makeChunksProps = () => ({})
    export const useChunks = () => ({
      hasChunks: { value: false },
      splitStyles: { value: undefined },
      chunksMaskStyles: { value: {} },
      snapValueToChunk: (value) => value,
    })`,
  'vuetify/lib/components/VProgressLinear/wavy.js': `
    export const WAVE_AMPLITUDE = 0
    export const useWavy = () => ({})`,
  'vuetify/lib/components/VTabs/VTabsWindow.js': leftOut('VTabsWindow'),
  'vuetify/lib/components/VTabs/VTabsWindowItem.js': leftOut('VTabsWindowItem'),
}
const pathEnd = /[\\/]node_modules[\\/]((?:@vuetify[\\/]v0|vuetify[\\/]lib)[\\/][^?]*)$/

/** Leaves out parts of Vuetify that every application loads although this one does not use them. */
export function leanVuetify(): Plugin {
  const unused = new Set(Object.keys(replacements))
  return {
    name: 'souk-vuetify',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: pathEnd },
      handler(id) {
        const path =
          /[\\/]node_modules[\\/](?!.*[\\/]node_modules[\\/])(.*)$/.exec(id)?.[1]?.replaceAll('\\', '/') ?? ''
        const replacement = replacements[path]
        if (typeof replacement !== 'function') {
          unused.delete(path)
          return replacement
        }
        const source = readFileSync(id, 'utf8')
        const replaced = replacement(source)
        if (replaced !== source) unused.delete(path)
        return replaced
      },
    },
    buildEnd(error) {
      if (!error && unused.size > 0)
        throw new Error(`Vuetify no longer has this in ${[...unused].join(', ')}: update packages/web/build/vuetify.ts`)
    },
  }
}
