import { relative } from 'node:path'
import { BaseSequencer } from 'vitest/node'

/** Files that take a minute or longer, longest first. A file that is missing here only makes the run longer. */
const longest = [
  'apps/server/test/package.test.ts',
  'apps/server/test/guidePackages.test.ts',
  'apps/server/test/backup.test.ts',
  'sdks/test/clients.test.ts',
  'sdks/test/collisions.test.ts',
  'sdks/test/faults.test.ts',
  'sdks/test/examples.test.ts',
  'apps/server/test/upgrade/sideBySide.test.ts',
  'apps/server/test/addingAnOperation.test.ts',
  'apps/server/test/startFailures.test.ts',
  'apps/server/test/ha/guide.test.ts',
  'examples/coffee/start.test.ts',
  'examples/embedSamples.test.ts',
  'apps/server/test/keyRotation.test.ts',
  'apps/server/test/move.test.ts',
  'apps/server/test/documentation.test.ts',
  'apps/server/test/kubernetes/pods.test.ts',
  'apps/server/test/processes.test.ts',
  'apps/server/test/databaseUpgrade.test.ts',
  'apps/server/test/monitoring.test.ts',
  'apps/server/test/expensiveBodies.test.ts',
  'apps/server/test/objectStorage.test.ts',
  'apps/server/test/mirror.test.ts',
  'apps/server/test/silence.test.ts',
  'apps/server/test/chaos/chaos.test.ts',
  'apps/server/src/kernel/db/database.test.ts',
  'e2e/playground/corpus.test.ts',
  'e2e/playground/api.test.ts',
  'e2e/playground/lifecycle.test.ts',
  'e2e/host.test.ts',
  'e2e/story.test.ts',
  'e2e/host/security.test.ts',
  'e2e/host/device.test.ts',
  'e2e/host/container.test.ts',
  'e2e/playground/pages.test.ts',
  'e2e/desk.look.test.ts',
  'packages/vite-plugin/test/release.test.ts',
  'packages/vite-plugin/test/uniApp.test.ts',
  'packages/vite-plugin/test/development.test.ts',
]

/**
 * Installations first, since some of them add network interfaces, and Chromium ends all its requests when the
 * network changes. Files of a project that share workers are next to each other, so that no worker ends in between.
 */
const projects = ['installations', 'e2e', 'story', 'builds', 'long', 'alone', 'fuzz', 'server', 'packages', 'web']

/** Runs one project after another, and of each the longest files first. */
export class LongestFirst extends BaseSequencer {
  /** @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    const place = ({ moduleId, project }) => {
      const index = longest.indexOf(relative(project.vitest.config.root, moduleId))
      return projects.indexOf(project.name) * (longest.length + 1) + (index >= 0 ? index : longest.length)
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}
