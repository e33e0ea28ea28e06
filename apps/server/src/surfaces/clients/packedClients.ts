import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageFolder, runsFromSources } from '../../kernel/package.ts'

/** Clients for Python, Go and PHP, as setup/packClients.mjs describes them. */
interface PackedClients {
  python: { name: string; requiresPython: string; files: string[] }
  go: { module: string; version: string; mod: string; file: string }
  php: { composer: { name: string; version: string } & Record<string, unknown>; file: string }
}

export interface Archive {
  content: Buffer
  /** Hexadecimal. */
  sha256: string
  /** Hexadecimal. */
  sha1: string
}

/** Clients with their archives, by file name. */
export interface Clients extends PackedClients {
  archives: ReadonlyMap<string, Archive>
}

/** The client for Java, as setup/packJavaClient.mjs describes it. */
interface PackedJavaClient {
  group: string
  artifact: string
  version: string
  files: string[]
}

/** The client for Java with its files, by name. */
export interface JavaClient extends PackedJavaClient {
  contents: ReadonlyMap<string, Buffer>
}

/** Reads the clients for Python, Go and PHP. In a clone, packs them. */
export function readClients(): Promise<Clients> {
  return withPacked('packClients', async (folder) => {
    const packed: PackedClients = JSON.parse(await readFile(join(folder, 'clients.json'), 'utf8'))
    const files = await readFiles(folder, [...packed.python.files, packed.go.file, packed.php.file])
    const archives = [...files].map(([name, content]): [string, Archive] => {
      const digest = (algorithm: string) => createHash(algorithm).update(content).digest('hex')
      return [name, { content, sha256: digest('sha256'), sha1: digest('sha1') }]
    })
    return { ...packed, archives: new Map(archives) }
  })
}

/** Reads the client for Java; undefined if there was no JDK to pack it. In a clone, packs it. */
export function readJavaClient(): Promise<JavaClient | undefined> {
  return withPacked('packJavaClient', async (folder) => {
    const description = join(folder, 'java.json')
    if (!existsSync(description)) return undefined
    const packed: PackedJavaClient = JSON.parse(await readFile(description, 'utf8'))
    return { ...packed, contents: await readFiles(folder, packed.files) }
  })
}

/** Calls `read` with the folder of the packed clients, which `script` of setup/ writes in a clone. */
async function withPacked<T>(script: string, read: (folder: string) => Promise<T>): Promise<T> {
  if (!runsFromSources) return read(join(packageFolder, 'clients'))
  const folder = await mkdtemp(join(tmpdir(), 'souk-clients-'))
  try {
    const clone = join(packageFolder, '../..')
    await promisify(execFile)(process.execPath, [join(clone, `setup/${script}.mjs`), folder], { cwd: clone })
    return await read(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function readFiles(folder: string, names: readonly string[]): Promise<Map<string, Buffer>> {
  const files = names.map(async (name): Promise<[string, Buffer]> => [name, await readFile(join(folder, name))])
  return new Map(await Promise.all(files))
}
