import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1'
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1'
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { CronJob, Job } from 'kubernetes-models/batch/v1'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, PersistentVolumeClaim, Pod, Secret, Service } from 'kubernetes-models/v1'
import { type Manifest, root } from './manifests.ts'

const models = {
  'apps/v1': { Deployment, StatefulSet },
  'autoscaling/v2': { HorizontalPodAutoscaler },
  'batch/v1': { CronJob, Job },
  'gateway.networking.k8s.io/v1': { HTTPRoute },
  'monitoring.coreos.com/v1': { ServiceMonitor },
  'networking.k8s.io/v1': { NetworkPolicy },
  'policy/v1': { PodDisruptionBudget },
  v1: { ConfigMap, PersistentVolumeClaim, Pod, Secret, Service },
} as Record<string, Record<string, new (data: never) => { validate(): void }>>

/** Packages of resources that are not part of Kubernetes itself. */
const packages: Record<string, string> = {
  'gateway.networking.k8s.io/v1': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator',
}

/** Kinds without a model of npm, whose fields cloudNativePg.ts declares. */
const declared = ['Cluster', 'ObjectStore', 'ScheduledBackup']

/** Returns the module that declares the type of a manifest, and the name of the type. */
function typeOf({ apiVersion, kind }: Manifest): { module: string; type: string } {
  if (declared.includes(kind)) return { module: join(import.meta.dirname, 'cloudNativePg.ts'), type: kind }
  const name = packages[apiVersion] ?? 'kubernetes-models'
  return { module: `${name}/${apiVersion}`, type: `I${kind}` }
}

/**
 * Returns what is wrong with manifests. The models check values, and accept unknown fields; the compiler rejects those
 * in literals of their types, at any depth.
 */
export async function findMistakes(manifests: Manifest[]): Promise<string[]> {
  const mistakes = manifests.flatMap((manifest) => {
    if (declared.includes(manifest.kind)) return []
    const Model = models[manifest.apiVersion]?.[manifest.kind]
    if (!Model) return `${manifest.apiVersion} ${manifest.kind} is unknown`
    try {
      new Model(manifest as never).validate()
      return []
    } catch (error) {
      return `${manifest.kind} ${manifest.metadata.name}: ${(error as Error).message}`
    }
  })
  return [...mistakes, ...(await compile(manifests))]
}

async function compile(manifests: Manifest[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'souk-manifests-'))
  try {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    const lines = manifests.map((manifest, index) => {
      const { module, type } = typeOf(manifest)
      return `export const it${index}: import('${module}').${type} = ${JSON.stringify(manifest)}`
    })
    await writeFile(join(folder, 'manifests.ts'), lines.join('\n'))
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      types: [],
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['manifests.ts'] }))
    await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['--pretty', 'false', '--project', folder])
    return []
  } catch (error) {
    const { stdout = '' } = error as { stdout?: string }
    const errors = stdout.split('\n').filter((line) => line.includes('error TS'))
    if (errors.length === 0) throw error
    return errors.map((line) => line.replace(/^.*manifests\.ts\((\d+),\d+\): error TS\d+/, nameOf))
  } finally {
    await rm(folder, { recursive: true })
  }

  function nameOf(_: string, line: string): string {
    const { kind, metadata } = manifests[Number(line) - 1]!
    return `${kind} ${metadata.name}`
  }
}
