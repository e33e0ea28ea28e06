import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'

/** The packages of this repository are tested from their sources (ADR 2). */
const resolve = { conditions: ['souk-source', ...defaultServerConditions] }
// Vitest runs the files of globalSetup in an environment of its own.
const fromSources = { resolve, ssr: { resolve }, environments: { __vitest__: { resolve } } }

/** Long enough for a machine that is busy with other work: a timeout is to end a test that hangs, not a slow one. */
const patient = { expect: { poll: { timeout: 30_000 } }, testTimeout: 300_000, hookTimeout: 300_000 }

export default defineConfig({
  test: {
    pool: 'forks',
    // Twice as many as CI has cores: most tests wait for a browser or a server.
    maxWorkers: 4,
    execArgv: ['--conditions=souk-source', '--disable-warning=ExperimentalWarning'],
    projects: [
      {
        ...fromSources,
        test: {
          ...patient,
          name: 'packages',
          include: [
            'packages/*/{src,test}/**/*.test.ts',
            'apps/{console,host}/src/**/*.test.ts',
            '{docs,setup}/**/*.test.ts',
          ],
        },
      },
      {
        ...fromSources,
        // In a real browser against a real server, one of each for all files.
        test: {
          ...patient,
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['e2e/setup.ts'],
          maxConcurrency: 2,
        },
      },
      {
        ...fromSources,
        test: {
          ...patient,
          name: 'server',
          include: ['{apps/*,examples,bench,fuzz}/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'apps/{console,host}/**'],
          globalSetup: ['apps/server/test/globalSetup.ts'],
        },
      },
    ],
  },
})
