import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { IContainer } from 'kubernetes-models/v1'
import { beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { explainUnknownSettings, secretSettings } from '../../src/settings.ts'
import { find, kubectl, type Manifest, overlays, podOf, podsOf, render, variablesOf } from './manifests.ts'
import { findMistakes } from './strictCheck.ts'

const containersOf = ({ spec }: { spec: { initContainers?: IContainer[]; containers: IContainer[] } }) => [
  ...(spec.initContainers ?? []),
  ...spec.containers,
]

/** Seconds for which a server waits for its database before it gives up on its own. */
const databasePatience = 60

/** Returns whether a selector matches labels. */
const matches = (selector: { matchLabels?: Record<string, string> }, labels: Record<string, string>) =>
  Object.entries(selector.matchLabels ?? {}).every(([name, value]) => labels[name] === value)

describe.skipIf(kubectl.isMissing)(kubectl.name('the manifests for Kubernetes'), () => {
  describe.each(overlays)('%s', (overlay) => {
    let manifests: Manifest[]
    beforeAll(async () => {
      manifests = await render(overlay)
    })

    test('consist of fields that the API has, with values that it takes', async () => {
      expect(await findMistakes(manifests)).toEqual([])
    })

    test('confine all containers as the Pod Security Standard "restricted" demands, with a read-only root', () => {
      for (const pod of podsOf(manifests)) {
        expect(pod.spec, pod.owner.metadata.name).toMatchObject({
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        })
        expect(pod.spec.securityContext!.runAsUser).toBeGreaterThan(0)
        for (const { securityContext, resources } of containersOf(pod)) {
          expect(securityContext).toEqual({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          })
          expect(resources).toMatchObject({
            requests: { memory: expect.any(String) },
            limits: { memory: expect.any(String) },
          })
        }
      }
    })

    test('run as the user of the image, whose data directory is a volume', async () => {
      const image = await readFile(join(import.meta.dirname, '../../../../Containerfile'), 'utf8')
      const [, user, group] = /^USER (\d+):(\d+)$/m.exec(image)!
      for (const { spec } of podsOf(manifests).filter(({ labels }) => labels['app.kubernetes.io/name'] === 'souk')) {
        expect(spec.securityContext).toMatchObject({ runAsUser: Number(user), runAsGroup: Number(group) })
        expect(spec.securityContext!.fsGroup).toBe(Number(group))
        expect(spec.containers[0]!.volumeMounts).toContainEqual({ name: 'data', mountPath: '/var/lib/souk' })
      }
    })

    test('set settings that exist, and pass secrets only as files of a mounted secret', () => {
      for (const { spec } of podsOf(manifests).filter(({ labels }) => labels['app.kubernetes.io/name'] === 'souk')) {
        const [container] = spec.containers
        const variables = variablesOf(container!, manifests)
        expect(explainUnknownSettings(variables)).toEqual([])
        for (const name of secretSettings) expect(variables).not.toHaveProperty(name)
        for (const [name, path] of Object.entries(variables).filter(([, value]) => value.startsWith('/run/secrets'))) {
          const mount = container!.volumeMounts!.find(({ mountPath }) => path.startsWith(`${mountPath}/`))
          const secret = spec.volumes!.find((volume) => volume.name === mount?.name)?.secret
          expect(secret, name).toMatchObject({ secretName: expect.stringMatching(/^souk-/), defaultMode: 0o440 })
          const file = path.slice(mount!.mountPath.length + 1)
          if (secret!.items) expect(secret!.items.map((item) => item.path)).toContain(file)
        }
      }
    })

    test('give a server time to wait for its database, and to stop', () => {
      for (const role of ['api', 'worker']) {
        const { spec } = podOf(manifests, `souk-${role}`)
        const { drainDelay } = readConfig(withoutFiles(variablesOf(spec.containers[0]!, manifests)))
        const { periodSeconds, failureThreshold } = spec.containers[0]!.startupProbe!
        expect(periodSeconds! * failureThreshold!).toBeGreaterThan(databasePatience)
        expect(drainDelay).toBeGreaterThan(0)
        expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drainDelay + 20)
      }
    })

    test('name workloads, pods, ports and volumes that exist', () => {
      const pods = podsOf(manifests)
      for (const { kind, spec, metadata } of manifests) {
        const selector = { Service: { matchLabels: spec?.selector }, PodDisruptionBudget: spec?.selector }[kind]
        if (!selector) continue
        const selected = pods.filter(({ labels }) => matches(selector, labels))
        expect(selected, `${kind} ${metadata.name}`).toHaveLength(1)
        const names = selected[0]!.spec.containers[0]!.ports!.map(({ name }) => name)
        for (const { targetPort } of spec.ports ?? []) expect(names).toContain(targetPort)
      }
      for (const { owner, labels, spec } of pods) {
        if (owner.spec.selector) expect(matches(owner.spec.selector, labels)).toBe(true)
        const claims = (owner.spec.volumeClaimTemplates ?? []).map((claim: Manifest) => claim.metadata.name)
        const volumes = [...claims, ...(spec.volumes ?? []).map(({ name }) => name)]
        const mounted = containersOf({ spec }).flatMap(({ volumeMounts }) => volumeMounts!.map(({ name }) => name))
        expect([...new Set(mounted)].sort()).toEqual(volumes.sort())
        for (const { persistentVolumeClaim } of spec.volumes ?? []) {
          if (persistentVolumeClaim) find(manifests, 'PersistentVolumeClaim', persistentVolumeClaim.claimName)
        }
      }
    })

    test('let nothing reach a pod, and a pod reach nothing, but for a policy', () => {
      const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy')
      for (const { labels, owner } of podsOf(manifests)) {
        const types = policies.filter((it) => matches(it.spec.podSelector, labels)).flatMap((it) => it.spec.policyTypes)
        expect(types, owner.metadata.name).toEqual(expect.arrayContaining(['Ingress', 'Egress']))
      }
    })
  })

  test('the check finds a wrong field, a missing one and a wrong value, at any depth', async () => {
    const manifests = await render('live')
    const without = await findMistakes(manifests)
    const change = async (kind: string, name: string, apply: (spec: Manifest['spec']) => void) => {
      const changed = structuredClone(find(manifests, kind, name))
      apply(changed.spec)
      return findMistakes([changed])
    }
    expect(without).toEqual([])
    const renamed = await change('Deployment', 'souk-api', (spec) => {
      spec.template.spec.containers[0].securityContext.readOnlyRootFileSystem = true
    })
    expect(renamed.join()).toMatch(/readOnlyRootFileSystem.* does not exist in type/)
    const missing = await change('Deployment', 'souk-api', (spec) => delete spec.template.spec.containers[0].name)
    expect(missing.join()).toMatch(/Property '"name"' is missing/)
    const wrong = await change('HorizontalPodAutoscaler', 'souk-api', (spec) => (spec.minReplicas = 'two'))
    expect(wrong.join()).toContain('minReplicas')
    const policy = await change('NetworkPolicy', 'souk', (spec) => (spec.egress[0].port = []))
    expect(policy.join()).toMatch(/'"port"' does not exist in type/)
    const monitor = await change('ServiceMonitor', 'souk', (spec) => (spec.endpoints[0].intervall = '15s'))
    expect(monitor.join()).toMatch(/'"intervall"' does not exist in type/)
    const database = await change('Cluster', 'souk-database', (spec) => (spec.postgresql.synchronous.method = 'all'))
    expect(database.join()).toContain('"all"')
  })

  test('the database of a live installation has a connection for each of the most processes', async () => {
    const manifests = await render('live')
    const { maxReplicas } = find(manifests, 'HorizontalPodAutoscaler', 'souk-api').spec
    const { replicas } = find(manifests, 'Deployment', 'souk-worker').spec
    const { parameters } = find(manifests, 'Cluster', 'souk-database').spec.postgresql
    const { databaseConnections } = readConfig({})
    // One more of both during upgrades, and 20 for backups, migrations and the operator.
    const needed = (maxReplicas + 1 + replicas + 1) * databaseConnections + 20
    expect(Number(parameters.max_connections)).toBeGreaterThanOrEqual(needed)
  })

  test('Prometheus finds both roles under the name that the alerts expect', async () => {
    const manifests = await render('live')
    const { spec } = find(manifests, 'ServiceMonitor', 'souk')
    const services = manifests.filter(
      ({ kind, metadata }) => kind === 'Service' && matches(spec.selector, metadata.labels!),
    )
    expect(services.map(({ metadata }) => metadata.name).sort()).toEqual(['souk', 'souk-worker'])
    for (const { metadata, spec: service } of services) {
      expect(metadata.labels![spec.jobLabel]).toBe('souk')
      expect(service.ports.map(({ name }: { name: string }) => name)).toContain(spec.endpoints[0].port)
    }
  })
})

/** The tests have no files of secrets. */
function withoutFiles(variables: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !/_FILE$|^SOUK_S3|^SOUK_STORAGE/.test(name)))
}
