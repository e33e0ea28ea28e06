import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { IContainer, IPodSpec } from 'kubernetes-models/v1'
import { parseAllDocuments } from 'yaml'

export const root = join(import.meta.dirname, '../../../..')
export const overlays = ['sandbox', 'live', 'live-external-database'] as const

const hasKubectl = spawnSync('kubectl', ['version', '--client']).error === undefined

/** Skips tests where kubectl is not installed. */
export const kubectl = {
  isMissing: !hasKubectl,
  name: (name: string) =>
    hasKubectl ? name : `${name} (skipped: needs kubectl, or apt-get install kubernetes-client)`,
}

/** An object of Kubernetes. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own type, which schemas.test.ts checks.
  spec?: any
  data?: Record<string, string>
}

/** Renders an overlay of deploy/kubernetes, or the folder of a kustomization. */
export async function render(folder: string): Promise<Manifest[]> {
  const path = folder.startsWith('/') ? folder : join(root, 'deploy/kubernetes', folder)
  const { stdout } = await promisify(execFile)('kubectl', ['kustomize', path])
  return parseManifests(stdout)
}

/** Parses documents of YAML. */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => document.toJS())
}

/** Returns the manifest of this kind and name. Names of ConfigMaps end with a hash. */
export function find(manifests: Manifest[], kind: string, name: string): Manifest {
  const found = manifests.find((it) => it.kind === kind && it.metadata.name.replace(/-[a-z\d]{10}$/, '') === name)
  if (!found) throw new Error(`There is no ${kind} ${name}.`)
  return found
}

/** A pod with the labels that it gets. */
export interface Pod {
  owner: Manifest
  labels: Record<string, string>
  spec: IPodSpec
}

/** Returns the pods that workloads create. */
export function podsOf(manifests: Manifest[]): Pod[] {
  return manifests.flatMap((owner) => {
    const template = owner.spec?.template ?? owner.spec?.jobTemplate?.spec.template
    return template?.spec?.containers ? { owner, labels: template.metadata.labels, spec: template.spec } : []
  })
}

/** Returns the pod of a workload. */
export function podOf(manifests: Manifest[], name: string): Pod {
  const pod = podsOf(manifests).find(({ owner }) => owner.metadata.name === name)
  if (!pod) throw new Error(`There is no workload ${name}.`)
  return pod
}

/** Returns the variables of a container, with those of its ConfigMaps. */
export function variablesOf(container: IContainer, manifests: Manifest[]): Record<string, string> {
  const maps = (container.envFrom ?? []).map(({ configMapRef }) => {
    const map = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef?.name)
    if (!map?.data) throw new Error(`There is no ConfigMap ${configMapRef?.name}.`)
    return map.data
  })
  const own = (container.env ?? []).map(({ name, value = '' }) => [name, value])
  return Object.assign({}, ...maps, Object.fromEntries(own))
}
