/**
 * A resource of CloudNativePG 1.30 or its plug-in for Barman, for which npm has no types: the fields that the manifests
 * use.
 */
interface Named<ApiVersion extends string, Kind extends string, Spec> {
  apiVersion: ApiVersion
  kind: Kind
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  spec: Spec
}

interface LocalName {
  name: string
}

interface SecretKey extends LocalName {
  key: string
}

interface Plugin extends LocalName {
  isWALArchiver?: boolean
  parameters?: Record<string, string>
}

interface Compression<Program extends string> {
  compression?: Program
}

export type Cluster = Named<
  'postgresql.cnpg.io/v1',
  'Cluster',
  {
    instances: number
    imageName?: string
    bootstrap?:
      | {
          initdb: {
            database?: string
            owner?: string
            encoding?: string
            secret?: LocalName
            postInitApplicationSQL?: string[]
          }
        }
      | {
          recovery: {
            source: string
            database?: string
            owner?: string
            secret?: LocalName
            recoveryTarget?: { targetTime: string }
          }
        }
    externalClusters?: { name: string; plugin: Plugin }[]
    postgresql?: {
      parameters?: Record<string, string>
      synchronous?: { method: 'any' | 'first'; number: number; dataDurability?: 'required' | 'preferred' }
    }
    storage: { size: string; storageClass?: string }
    resources?: { requests?: Record<'cpu' | 'memory', string>; limits?: { memory: string } }
    affinity?: { podAntiAffinityType?: 'required' | 'preferred'; topologyKey?: string }
    plugins?: Plugin[]
  }
>

export type ScheduledBackup = Named<
  'postgresql.cnpg.io/v1',
  'ScheduledBackup',
  {
    schedule: string
    immediate?: boolean
    backupOwnerReference?: 'none' | 'self' | 'cluster'
    cluster: LocalName
    method: 'plugin'
    pluginConfiguration: LocalName
  }
>

export type ObjectStore = Named<
  'barmancloud.cnpg.io/v1',
  'ObjectStore',
  {
    retentionPolicy?: string
    configuration: {
      destinationPath: string
      endpointURL?: string
      s3Credentials: { accessKeyId: SecretKey; secretAccessKey: SecretKey }
      wal?: Compression<'bzip2' | 'gzip' | 'lz4' | 'snappy' | 'xz' | 'zstd'>
      data?: Compression<'bzip2' | 'gzip' | 'snappy'>
    }
  }
>
