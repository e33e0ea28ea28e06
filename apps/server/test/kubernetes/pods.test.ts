import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { certificate } from '../certificate.ts'
import { emptyDatabase, type FreshDatabase } from '../database.ts'
import { freePort } from '../server.ts'
import { canStartContainers, StartedPod } from './container.ts'
import { createSecrets } from './guide.ts'
import { kubectl, type Manifest, podOf, render } from './manifests.ts'

const isMissing = kubectl.isMissing || !canStartContainers
const name = canStartContainers
  ? kubectl.name('the pods of Kubernetes')
  : 'the pods of Kubernetes (skipped: needs root, unshare and setpriv)'

describe.skipIf(isMissing)(name, () => {
  let database: FreshDatabase
  let backups: string
  let started: StartedPod[]
  let secrets: Record<string, Record<string, string>>
  beforeAll(async () => {
    // The operator of the database creates the last one.
    secrets = { ...(await createSecrets('secrets')), 'souk-database-ca': { 'ca.crt': certificate } }
    backups = await mkdtemp(join(tmpdir(), 'souk-backups-'))
  })
  afterAll(() => rm(backups, { recursive: true }))
  beforeEach(async () => {
    database = await emptyDatabase()
    started = []
  })
  afterEach(async () => {
    await Promise.all(started.map((pod) => pod.remove()))
    await database.drop()
  })

  async function create(manifests: Manifest[], workload: string): Promise<StartedPod> {
    const pod = await StartedPod.create(podOf(manifests, workload), {
      manifests,
      secrets: { ...secrets, 'souk-database': { url: `${database.url}\n` } },
      claims: { 'souk-backups': backups },
      env: { PORT: String(await freePort()) },
    })
    started.push(pod)
    return pod
  }

  test.each(['sandbox', 'live'])('%s: servers wait for the job, and are then alive and ready', async (overlay) => {
    const manifests = await render(overlay)
    const servers = await Promise.all(
      ['api', 'worker'].map(async (role) => {
        const { startupProbe, livenessProbe, readinessProbe } = podOf(manifests, `souk-${role}`).spec.containers[0]!
        const pod = await create(manifests, `souk-${role}`)
        await pod.start()
        await expect.poll(() => pod.log).toContain('waiting for souk database migrate')
        expect(await pod.probe(startupProbe!)).toBeUndefined()
        return { pod, startupProbe: startupProbe!, probes: [livenessProbe!, readinessProbe!] }
      }),
    )
    const job = await create(manifests, 'souk-migrate')
    expect(await job.run()).toMatchObject({ status: 0, log: expect.stringContaining('Migrated the database to Souk') })
    for (const { pod, startupProbe, probes } of servers) {
      await pod.waitFor(startupProbe)
      for (const probe of probes) expect(await pod.probe(probe)).toBe(200)
    }
    expect(await job.run()).toMatchObject({ status: 0, log: expect.stringContaining('has all migrations') })
  })

  test('live: a pod writes to its volumes only, stops in time, and its installation can be restored from a backup', async () => {
    const manifests = await render('live')
    const run = async (workload: string) => {
      const { status, log } = await (await create(manifests, workload)).run()
      expect(status, log).toBe(0)
      return log
    }
    await run('souk-migrate')
    const { startupProbe, readinessProbe } = podOf(manifests, 'souk-api').spec.containers[0]!
    const api = await create(manifests, 'souk-api')
    await api.start()
    await api.waitFor(startupProbe!)

    const user = await api.run(['bash', '-c', 'id -u; id -g; grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status'])
    expect(user.log.split(/\s+/).filter((word) => /^\d/.test(word))).toEqual([
      '10001',
      '10001',
      '0000000000000000',
      '0000000000000000',
      '1',
    ])
    const places = [
      '/',
      '/etc',
      '/opt',
      '/usr/local/bin',
      '/run/secrets/souk/keys',
      '/tmp',
      '/var/lib/souk',
      '/var/lib',
    ]
    const isWritable = `for place in ${places.join(' ')}; do touch $place/it 2>/dev/null && echo $place; done; true`
    expect((await api.run(['bash', '-c', isWritable])).log).toBe('/tmp\n/var/lib/souk\n')

    const souk = (...args: string[]) => api.run(['souk', ...args], undefined, { SOUK_URL: api.url })
    expect(await souk('versions')).toMatchObject({ status: 0 })
    expect(await souk('project', 'create', '--name', 'Coffee shop')).toMatchObject({ status: 0 })
    expect(await run('souk-backup')).toContain('Backed up')
    expect(await readdir(backups)).toEqual([expect.stringMatching(/^souk-\d{8}T\d{6}Z-[0-9a-f]{16}\.age$/)])

    const stopped = api.stop()
    await expect.poll(() => api.probe(readinessProbe!)).toBe(503)
    expect(await stopped).toMatchObject({ status: 0, signal: null })

    await database.drop()
    database = await emptyDatabase()
    expect(await run('souk-restore')).toContain('Restored')
    const restored = await create(manifests, 'souk-api')
    await restored.start()
    await restored.waitFor(startupProbe!)
    expect(await restored.probe(readinessProbe!)).toBe(200)
    const projects = await restored.run(['souk', 'project', 'list'], undefined, { SOUK_URL: restored.url })
    expect(projects.log).toContain('Coffee shop')
  })
})
