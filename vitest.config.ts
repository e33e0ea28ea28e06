import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './setup/sequencer.mjs'

/** The packages of this repository are tested from their sources (ADR 2). */
const resolve = { conditions: ['souk-source'] }
// Vitest runs the files of globalSetup in a separate environment.
const fromSources = { resolve, ssr: { resolve }, environments: { __vitest__: { resolve } } }

/** Node imports the files itself, which is faster than by Vite. The web applications use features of Vite. */
const experimental = { viteModuleRunner: false, nodeLoader: false }

/** Files that leave no global state behind share a worker, which imports the sources once. */
const shared = { isolate: false }

/**
 * Files that need modules that no other file has loaded, that change the time or measure the memory of their process,
 * or that test what it logs only once.
 */
const alone = [
  'packages/runtime/src/neu/{index,locationUpdates,options,sideWindows,start}.test.ts',
  'apps/server/src/delivery/delivery.test.ts',
  'apps/server/src/domain/operations/clock/*.test.ts',
  'apps/server/src/domain/miniApps/releases/unpack.test.ts',
  'apps/server/src/kernel/db/limits.test.ts',
  'apps/server/src/kernel/telemetry.test.ts',
  'apps/server/src/worker/worker.test.ts',
]

/** Files of the server that start databases again and again, alone. */
const long = ['apps/server/src/domain/installation/backups/*.test.ts', 'apps/server/src/kernel/db/database.test.ts']

/** Files that install, pack or build whole projects, or start the command line many times. */
const builds = [
  'packages/{create-miniapp,sdk,vite-plugin}/test/**/*.test.ts',
  'packages/create-miniapp/src/create.test.ts',
  'packages/cli/src/{main,miniAppsGuide,program}.test.ts',
  'packages/cli/src/commands/{ci,fakeProviders,miniApps,test}.test.ts',
  'packages/cli/src/pages/guide.test.ts',
  'packages/vite-plugin/src/stalled.test.ts',
  'setup/{packPackages,publish}.test.ts',
]

/** One user of one company, from the sign-in to the erasure, in a real browser. */
const story = 'e2e/live.test.ts'

/** Files that need programs from outside of npm, but not the servers of the browser tests. */
const withPrograms = ['e2e/{copiedCode,vscode}.test.ts']

/** Long enough for a machine that is busy with other work: a timeout is to end a test that hangs, not a slow one. */
const patient = { expect: { poll: { timeout: 120_000 } }, testTimeout: 300_000, hookTimeout: 300_000 }

const browser = {
  ...patient,
  ...shared,
  experimental,
  globalSetup: ['apps/server/test/globalSetup.ts', 'apps/server/test/bundledPrograms.ts', 'e2e/setup.ts'],
  setupFiles: ['e2e/eachFile.ts'],
  maxConcurrency: 2,
}

export default defineConfig({
  test: {
    pool: 'forks',
    // Twice as many as there are cores: most tests wait for a browser or a server.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        ...fromSources,
        test: {
          ...patient,
          experimental,
          ...shared,
          name: 'packages',
          include: ['packages/*/{src,test}/**/*.test.ts', '{docs,setup}/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...alone, ...builds],
        },
      },
      {
        ...fromSources,
        test: {
          ...patient,
          experimental,
          ...shared,
          name: 'builds',
          include: builds,
          exclude: ['**/node_modules/**', ...alone],
        },
      },
      {
        ...fromSources,
        test: {
          ...patient,
          experimental,
          name: 'alone',
          include: alone,
          globalSetup: ['apps/server/test/globalSetup.ts'],
        },
      },
      {
        ...fromSources,
        test: {
          ...patient,
          experimental,
          name: 'long',
          include: long,
          globalSetup: ['apps/server/test/globalSetup.ts'],
        },
      },
      {
        ...fromSources,
        test: {
          ...patient,
          experimental,
          name: 'fuzz',
          include: ['fuzz/**/*.test.ts'],
          globalSetup: ['apps/server/test/globalSetup.ts'],
        },
      },
      {
        ...fromSources,
        test: { ...patient, ...shared, name: 'web', include: ['apps/{console,host}/src/**/*.test.ts'] },
      },
      // Of the built documentation.
      { ...fromSources, test: { ...patient, experimental, name: 'site', include: ['apps/docs/test/*.test.ts'] } },
      {
        ...fromSources,
        // In a real browser against a real server, which all files share.
        test: { ...browser, name: 'e2e', include: ['e2e/**/*.test.ts'], exclude: [...withPrograms, story] },
      },
      { ...fromSources, test: { ...browser, name: 'story', include: [story] } },
      {
        ...fromSources,
        test: {
          ...patient,
          ...shared,
          experimental,
          name: 'server',
          include: ['apps/server/{src,test/http}/**/*.test.ts'],
          exclude: [...alone, ...long],
          globalSetup: ['apps/server/test/globalSetup.ts'],
        },
      },
      {
        ...fromSources,
        // Installs packages, backs up, upgrades and breaks installations, and runs other languages. Needs programs of
        // Debian, and takes nearly as long as all others: `npm test` runs it only if files of it are named.
        test: {
          ...patient,
          experimental,
          name: 'installations',
          include: ['apps/server/test/**/*.test.ts', '{examples,sdks}/**/*.test.ts', ...withPrograms],
          exclude: ['**/node_modules/**', 'apps/server/test/http/**'],
          globalSetup: ['apps/server/test/globalSetup.ts', 'apps/server/test/bundledPrograms.ts'],
        },
      },
    ],
  },
})
