import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageFolder, runsFromSources } from '../../kernel/package.ts'

/** A package for developers, as setup/packPackages.mjs describes it. */
interface PackedPackage {
  /** Name of its tarball. */
  file: string
  /** When its sources were committed, in ISO 8601. */
  time: string
  /** SHA-1 of the tarball, hex. */
  shasum: string
  /** SHA-512 of the tarball, as in the attribute `integrity` of HTML. */
  integrity: string
  /** Markdown; empty if there is none. */
  readme: string
  /** The contents of package.json. */
  manifest: { name: string; version: string } & Record<string, unknown>
}

/** A package with its tarball. */
export interface DeveloperPackage extends PackedPackage {
  tarball: Buffer
}

/** Reads the packages by name. In a clone, packs them if their sources changed. */
export async function readPackages(): Promise<ReadonlyMap<string, DeveloperPackage>> {
  const folder = runsFromSources ? await packSources() : join(packageFolder, 'npm')
  const packed: PackedPackage[] = JSON.parse(await readFile(join(folder, 'packages.json'), 'utf8'))
  const packages = packed.map(async (each) => ({ ...each, tarball: await readFile(join(folder, each.file)) }))
  return new Map((await Promise.all(packages)).map((each) => [each.manifest.name, each]))
}

/** Returns the folder of the tarballs. A separate process packs, because compiling takes seconds. */
async function packSources(): Promise<string> {
  const clone = join(packageFolder, '../..')
  const script = join(clone, 'setup/packPackages.mjs')
  const cache = join(clone, 'node_modules/.cache/souk-packages')
  const { stdout } = await promisify(execFile)(process.execPath, [script, cache, '--cache'], { cwd: clone })
  return stdout.trim()
}
