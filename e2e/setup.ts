import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startServer } from '../apps/server/test/server.ts'
import { isBuilt, webApps } from '../setup/webApps.mjs'
import { startChromium } from './chromium.ts'
import { createFixture, type Fixture } from './fixture.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** WebSocket endpoint of the shared browser. */
    browser: string
    fixture: Fixture
  }
}

/** Starts one seeded server and one browser for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stale = webApps.find((app) => !isBuilt(join(import.meta.dirname, '..'), app))
  if (stale) throw new Error(`${stale.folder} is not built from its current sources. Run the tests with: npm test`)
  const [browser, server] = await Promise.all([startChromium(), startServer()])
  const fixture = await createFixture(server).catch(async (error: unknown) => {
    await Promise.all([browser.close(), server.stop()])
    throw error
  })
  project.provide('browser', browser.wsEndpoint())
  project.provide('fixture', fixture.values)
  return async () => {
    await Promise.all([browser.close(), server.stop(), fixture.close()])
  }
}
