import type { Plugin, Rolldown } from 'vite'
import { prefix } from '../virtual.ts'

/** Names chunks after their page, with a content hash, so that servers can cache them forever. */
export function chunks(): Plugin {
  return {
    name: 'souk:chunks',
    apply: 'build',
    config: () => ({
      build: {
        rolldownOptions: {
          // Plug-in timings do not help app developers.
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
