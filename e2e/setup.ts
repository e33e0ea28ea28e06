import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startServer } from '../apps/server/test/server.ts'
import { isBuilt, webApps } from '../setup/webApps.mjs'
import { unpackChromium } from './chromium.ts'
import { createFixture, type Fixture } from './fixture.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    fixture: Fixture
    /** A server without mini apps, whose clock no test moves. */
    emptyServer: { url: string; adminToken: string }
  }
}

/** Starts a seeded server and an empty one for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stale = webApps.find((app) => !isBuilt(join(import.meta.dirname, '..'), app))
  if (stale) throw new Error(`${stale.folder} is not built from its current sources. Run the tests with: npm test`)
  const [server, emptyServer] = await Promise.all([startServer(), startServer(), unpackChromium()])
  const stop = () => Promise.all([server.stop(), emptyServer.stop()])
  try {
    const fixture = await createFixture(server)
    project.provide('fixture', fixture.values)
    project.provide('emptyServer', { url: emptyServer.url, adminToken: emptyServer.adminToken })
    return async () => {
      await Promise.all([stop(), fixture.close()])
    }
  } catch (error) {
    await stop()
    throw error
  }
}
