import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { minute } from '@souk/contract'
import { describe, expect, test } from 'vitest'

const run = promisify(execFile)
const clone = join(import.meta.dirname, '../../../..')

const secrets = Object.fromEntries(
  ['POSTGRES', 'REPLICATION', 'REWIND', 'PATRONI'].map((name) => [`${name}_PASSWORD`, `secret-of-${name}`]),
)

/** Returns why the guide cannot be followed here, or undefined. */
function obstacle(): string | undefined {
  const { status, stderr } = spawnSync(join(clone, 'deploy/ha/up'), ['--check'], { encoding: 'utf8' })
  return status === 0 ? undefined : stderr.trim()
}

const reason = obstacle()

describe.skipIf(reason !== undefined)(`the guide to high availability${reason ? ` (${reason})` : ''}`, () => {
  // Three databases, a failover and an upgrade take minutes on a busy machine.
  test('every command works as documented, and a silent primary is replaced', { timeout: 15 * minute }, async () => {
    const guide = await readFile(join(clone, 'docs/guides/high-availability.md'), 'utf8')
    const machine = await mkdtemp(join(tmpdir(), 'souk-machine-'))
    const blocks = [...guide.matchAll(/```sh (\w+)\n(.*?)```/gs)].map(([, name, text]) => ({
      name: name!,
      text: text!,
    }))
    const names = ['packages', 'up', 'ask', 'break', 'wait', 'heal', 'upgrade', 'down', 'configure']
    expect(blocks.map(({ name }) => name)).toEqual(names)
    const printed: Record<string, string> = {}
    try {
      for (const { name, text } of blocks) {
        // Settings for separate machines go into a folder.
        const script = name === 'configure' ? text.replaceAll(/(?<=[ >])\/etc\b/g, `${machine}/etc`) : text
        const env = { ...process.env, ...secrets, DEBIAN_FRONTEND: 'noninteractive' }
        const { stdout, stderr } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: clone, env })
        printed[name] = stdout
        if (name === 'up') expect(stderr).toMatch(/^Starting Souk, .*…$/m)
      }
      expect(printed.up).toMatch(/^db\d +10\.88\.0\.1\d +primary$/m)
      const [cut] = printed.break!.split('\n')
      expect(printed.wait).toMatch(new RegExp(`${cut} .* away +cut$`, 'm'))
      expect(printed.wait).toMatch(/db\d .* primary$/m)
      expect(printed.upgrade).toBe('api1\napi2\napi3\nworker1\nworker2\n')
      for (const file of ['etcd/etcd.yml', 'patroni/config.yml']) {
        const settings = await readFile(join(machine, 'etc', file), 'utf8')
        expect(settings).toContain('10.0.0.11')
        expect(settings).not.toMatch(/@[A-Z_]+@/)
      }
    } finally {
      await run(join(clone, 'deploy/ha/down'))
      await rm(machine, { recursive: true })
    }
  })
})
