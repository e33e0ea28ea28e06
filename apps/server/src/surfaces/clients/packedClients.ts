import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageFolder, runsFromSources } from '../../kernel/package.ts'

/** Clients for backends, as setup/packClients.mjs describes them. */
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

/** Reads the clients. In a clone, packs them. */
export async function readClients(): Promise<Clients> {
  if (!runsFromSources) return readFrom(join(packageFolder, 'clients'))
  const folder = await mkdtemp(join(tmpdir(), 'souk-clients-'))
  try {
    const clone = join(packageFolder, '../..')
    await promisify(execFile)(process.execPath, [join(clone, 'setup/packClients.mjs'), folder], { cwd: clone })
    return await readFrom(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function readFrom(folder: string): Promise<Clients> {
  const packed: PackedClients = JSON.parse(await readFile(join(folder, 'clients.json'), 'utf8'))
  const archives = [...packed.python.files, packed.go.file, packed.php.file].map(
    async (name): Promise<[string, Archive]> => {
      const content = await readFile(join(folder, name))
      const digest = (algorithm: string) => createHash(algorithm).update(content).digest('hex')
      return [name, { content, sha256: digest('sha256'), sha1: digest('sha1') }]
    },
  )
  return { ...packed, archives: new Map(await Promise.all(archives)) }
}
