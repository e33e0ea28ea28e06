import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { createSecrets, readBlock } from './guide.ts'
import { find, kubectl, type Manifest, parseManifests, podOf, podsOf, render, root } from './manifests.ts'
import { findMistakes } from './strictCheck.ts'

/** The oldest minor version of kubectl 1 with the fields that the guide uses. */
const oldest = 21
const isOld = !kubectl.isMissing && minorVersion() < oldest
const name = isOld ? `the guide (skipped: needs kubectl 1.${oldest} or newer)` : kubectl.name('the guide')

function minorVersion(): number {
  const { clientVersion } = JSON.parse(
    execFileSync('kubectl', ['version', '--client', '--output=json'], { encoding: 'utf8' }),
  )
  return Number.parseInt(clientVersion.minor, 10)
}

describe.skipIf(kubectl.isMissing || isOld)(name, () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'souk-guide-'))
    await cp(join(root, 'deploy'), join(folder, 'souk/deploy'), { recursive: true })
    await mkdir(join(folder, 'own'))
    await writeFile(join(folder, 'own/route.yaml'), await readBlock('yaml route'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  /** Renders the kustomization of the guide, with the patches of other blocks. */
  async function renderOwn(...blocks: string[]): Promise<Manifest[]> {
    const kustomization = parse(await readBlock('yaml kustomization'))
    for (const block of blocks) kustomization.patches.push(...parse(await readBlock(`yaml ${block}`)).patches)
    await writeFile(join(folder, 'own/kustomization.yaml'), stringify(kustomization))
    return render(join(folder, 'own'))
  }

  test('changes settings, image, buckets, and adds a route and mail, by fields that the API has', async () => {
    const manifests = await renderOwn('mail')
    expect(await findMistakes(manifests)).toEqual([])
    expect(new Set(manifests.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['souk']))
    const images = podsOf(manifests).flatMap(({ spec }) => [...(spec.initContainers ?? []), ...spec.containers])
    expect(new Set(images.map(({ image }) => image))).toEqual(new Set(['registry.example.com/souk:0.2.0']))
    expect(find(manifests, 'ConfigMap', 'souk-settings').data).toMatchObject({
      SOUK_MIGRATIONS: 'wait',
      SOUK_ENVIRONMENT: 'live',
      SOUK_PUBLIC_URL: 'https://souk.example.com',
    })
    const { env } = podOf(manifests, 'souk-worker').spec.containers[0]!
    expect(env).toContainEqual({ name: 'SOUK_SMTP_URL_FILE', value: '/run/secrets/souk/mail/url' })
    expect(await findMistakes(parseManifests(await readBlock('yaml copy')))).toEqual([])
  })

  test('restores a moment under another name in the archive', async () => {
    const manifests = await renderOwn('moment')
    expect(await findMistakes(manifests)).toEqual([])
    const { bootstrap, externalClusters, plugins } = find(manifests, 'Cluster', 'souk-database').spec
    expect(Object.keys(bootstrap)).toEqual(['recovery'])
    const { serverName } = externalClusters[0].plugin.parameters
    expect(serverName).toBe('souk-database')
    expect(plugins[0].parameters.serverName).not.toBe(serverName)
  })

  test.each([
    ['secrets', 'live'],
    ['secrets', 'live-external-database'],
    ['sandbox', 'sandbox'],
  ])('block %s creates each secret that %s uses, with values that Souk accepts', async (block, overlay) => {
    const secrets = await createSecrets(block)
    const manifests = await render(overlay)
    const created = (secret: string, key: string) => expect(secrets[secret], secret).toHaveProperty([key])
    for (const { secret } of podsOf(manifests).flatMap(({ spec }) => spec.volumes ?? [])) {
      // The operator creates the certificate.
      if (!secret || secret.secretName === 'souk-database-ca') continue
      expect(Object.keys(secrets)).toContain(secret.secretName)
      for (const { key } of secret.items ?? []) created(secret.secretName!, key)
    }
    for (const { spec } of manifests.filter(({ kind }) => kind === 'ObjectStore')) {
      const { accessKeyId, secretAccessKey } = spec.configuration.s3Credentials
      for (const { name, key } of [accessKeyId, secretAccessKey]) created(name, key)
    }
    const { 'master-key': masterKey = '', 'admin-token': adminToken } = secrets['souk-keys']!
    const { masterKeys, databaseUrl } = readConfig({
      SOUK_MASTER_KEY: masterKey,
      DATABASE_URL: secrets['souk-database']!.url!,
    })
    expect(masterKeys).toHaveLength(1)
    expect(adminToken).toMatch(/^souk_admin_[\w-]{43}$/)
    const { hostname, password } = new URL(databaseUrl!)
    const passwords = { secrets: secrets['souk-database-owner']?.password, sandbox: secrets['souk-database']!.password }
    expect(password).toBe(passwords[block as keyof typeof passwords])
    // CloudNativePG calls the service of the primary like this.
    const hosts = [
      'souk-database-rw',
      ...manifests.filter(({ kind }) => kind === 'Service').map((it) => it.metadata.name),
    ]
    expect(hosts).toContain(hostname)
  })
})
