import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { findLauncher } from '../src/kernel/db/launcher.ts'

/**
 * Runs statements as the superuser of an embedded database that is not running, such as `alter role souk superuser` for
 * tests that create databases.
 * @param home the folder that contains `cluster`
 */
export function runAsSuperuser(home: string, statements: readonly string[], database = 'postgres'): void {
  const launcher = findLauncher(home)
  const [program = '', ...args] = [...launcher.postgres, '--single', '-D', join(home, 'cluster'), database]
  const input = statements.map((statement) => `${statement}\n`).join('')
  const output = execFileSync(program, args, { env: launcher.env, input, stdio: 'pipe', ...launcher.identity })
  if (/(ERROR|FATAL):/.test(output.toString())) throw new Error(output.toString())
}
