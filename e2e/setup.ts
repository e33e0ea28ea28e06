import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startServer } from '../apps/server/test/server.ts'
import { isBuilt, webApps } from '../setup/webApps.mjs'
import { startChromium } from './chromium.ts'
import { createFixture, type Fixture } from './fixture.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the one browser of the run listens. */
    browser: string
    fixture: Fixture
  }
}

/** One server with data and one browser for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stale = webApps.find((app) => !isBuilt(join(import.meta.dirname, '..'), app))
  if (stale) throw new Error(`${stale.folder} is not built from its sources as they are: run the tests by npm test`)
  const [browser, server] = await Promise.all([startChromium(), startServer()])
  const fixture = await createFixture(server).catch(async (error: unknown) => {
    await Promise.all([browser.close(), server.stop()])
    throw error
  })
  project.provide('browser', browser.wsEndpoint())
  project.provide('fixture', fixture.facts)
  return async () => {
    await Promise.all([browser.close(), server.stop(), fixture.close()])
  }
}
