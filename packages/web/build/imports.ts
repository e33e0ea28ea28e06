import type { Plugin } from 'vite'
import { preload } from '../../vite-plugin/src/plugins/preload.ts'

/** Requests scripts again that could not be loaded, as releases of mini apps do. */
export function repeatedImports(): Plugin[] {
  return [
    {
      name: 'souk-repeated-imports',
      apply: 'build',
      config: () => ({
        experimental: {
          // Scripts refer to files by their own URL, as in a release.
          renderBuiltUrl: (_, { hostType }) => (hostType === 'js' ? { relative: true } : undefined),
        },
      }),
    },
    preload(),
  ]
}
