import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Manifest, parseManifests, root } from './manifests.ts'

/** Returns a block of the guide: its language and name, such as `yaml route`. */
export async function readBlock(name: string): Promise<string> {
  const guide = await readFile(join(root, 'docs/guides/kubernetes.md'), 'utf8')
  const [, block] = guide.split(`\n\`\`\`${name}\n`)
  if (block === undefined) throw new Error(`The guide has no block ${name}.`)
  return block.slice(0, block.indexOf('```'))
}

/** Runs a block of the guide that creates secrets, without a cluster. Returns the files of each secret. */
export async function createSecrets(block: string): Promise<Record<string, Record<string, string>>> {
  const script = `kubectl() { command kubectl "$@" --dry-run=client --output=yaml; echo ---; }
    ${await readBlock(`sh ${block}`)}`
  const env = {
    PATH: process.env.PATH,
    ACCESS_KEY_ID: 'id',
    SECRET_ACCESS_KEY: 'secret',
    BACKUP_ACCESS_KEY_ID: 'backup-id',
    BACKUP_SECRET_ACCESS_KEY: 'backup-secret',
  }
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], { env })
  const secrets = parseManifests(stdout).filter((it): it is Manifest => it?.kind === 'Secret')
  return Object.fromEntries(secrets.map(({ metadata, data }) => [metadata.name, decode(data!)]))
}

const decode = (data: Record<string, string>) =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]))
