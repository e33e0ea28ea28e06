import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'

/** The packages of this repository are tested from their sources (ADR 2). */
const fromSources = {
  resolve: { conditions: ['souk-source', ...defaultServerConditions] },
  ssr: { resolve: { conditions: ['souk-source', ...defaultServerConditions] } },
}

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    execArgv: ['--conditions=souk-source', '--disable-warning=ExperimentalWarning'],
    projects: [
      {
        ...fromSources,
        test: { name: 'packages', include: ['packages/*/{src,test}/**/*.test.ts'] },
      },
      {
        ...fromSources,
        test: {
          name: 'server',
          include: ['{apps/*,examples,bench}/**/*.test.ts'],
          globalSetup: ['apps/server/test/globalSetup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
