import type { Plugin } from 'vite'

/** Source of a component that other components of Vuetify can render, but in these applications never do. */
const leftOut = (name: string) => `
  export const ${name} = {
    setup() { throw new Error('${name} is left out of the bundle: packages/web/build/vuetify.ts') },
  }`

/** Modules of Vuetify that every application loads, by the end of their path, and what replaces them. */
const replacements: Record<string, string> = {
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
  'vuetify/lib/components/VBadge/VBadge.js': leftOut('VBadge'),
  'vuetify/lib/components/VChipGroup/VChipGroup.js': `
    export const VChipGroupSymbol = Symbol.for('vuetify:v-chip-group')
    ${leftOut('VChipGroup')}`,
  'vuetify/lib/components/VImg/VImg.js': leftOut('VImg'),
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
        unused.delete(path)
        return replacements[path]
      },
    },
    buildEnd(error) {
      if (!error && unused.size > 0)
        throw new Error(`Vuetify has no ${[...unused].join(', ')}: update packages/web/build/vuetify.ts`)
    },
  }
}
