import type { Plugin, Rolldown } from 'vite'
import { prefix } from '../virtual.ts'

/** Names of chunks say which page they are of; the hash is of what is in them, so that a server may let browsers keep them for good. */
export function chunks(): Plugin {
  return {
    name: 'souk:chunks',
    apply: 'build',
    config: () => ({
      build: {
        rolldownOptions: {
          // What plug-ins took is of no use to who builds an app.
          checks: { bundlerTimings: false },
          output: {
            entryFileNames: 'assets/[name]-[hash].js',
            chunkFileNames: (chunk) => `assets/${nameOf(chunk)}-[hash].js`,
            assetFileNames: 'assets/[name]-[hash][extname]',
          },
        },
      },
    }),
  }
}

function nameOf({ facadeModuleId, name }: Rolldown.PreRenderedChunk): string {
  if (!facadeModuleId?.startsWith(prefix)) return name
  return (
    facadeModuleId
      .slice(prefix.length)
      .replace(/^(?:page|subpackage)\//, '')
      .replace(/[^\w-]+/g, '-') || name
  )
}
