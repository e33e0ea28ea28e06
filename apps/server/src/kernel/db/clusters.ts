import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory } from '../secretFile.ts'
import { DatabaseStartError } from './starting.ts'

/** Folder of the cluster in the folder of the embedded database. */
export const clusterName = 'cluster'

/** Folder in which an upgrade creates the new database. */
const draftName = 'upgrade'

/** The folders of an embedded database. Major upgrades and their way back rename clusters (ADR 310). */
export class Clusters {
  readonly home: string

  constructor(home: string) {
    this.home = home
  }

  /** Folder of the database that an upgrade creates. */
  get draft(): string {
    return join(this.home, draftName)
  }

  /** Major version of the cluster in use, or undefined if there is none. */
  get version(): number | undefined {
    return versionOf(join(this.home, clusterName))
  }

  /** Major versions of the clusters that were set aside, oldest first. */
  get setAside(): number[] {
    const names = existsSync(this.home) ? readdirSync(this.home) : []
    return names
      .map((name) => Number(/^cluster-(\d+)$/.exec(name)?.[1]))
      .filter(Boolean)
      .sort((a, b) => a - b)
  }

  /** Returns the folder of a cluster that was set aside. */
  pathOf(version: number): string {
    return join(this.home, `${clusterName}-${version}`)
  }

  /** @throws DatabaseStartError if the process that replaces the cluster was killed between its two steps */
  checkComplete(): void {
    if (this.version !== undefined || this.setAside.length === 0) return
    const command = versionOf(join(this.draft, clusterName)) === undefined ? 'rollback' : 'upgrade'
    throw new DatabaseStartError(
      `${this.home} has no database in use, because souk database ${command} was interrupted. Run it again: it completes.`,
    )
  }

  /** Replaces the cluster by that of the draft. Completes a replacement that was interrupted. */
  async useDraft(): Promise<void> {
    await this.#replace(join(this.draft, clusterName))
    await this.removeDraft()
  }

  /** Replaces the cluster by the oldest one that was set aside. Completes a replacement that was interrupted. */
  async useOldest(): Promise<void> {
    await this.#replace(this.pathOf(this.setAside[0]!))
  }

  /** Returns whether an upgrade was interrupted after its database was complete. */
  isDraftComplete(): boolean {
    return this.version === undefined && this.setAside.length > 0 && existsSync(join(this.draft, clusterName))
  }

  async removeDraft(): Promise<void> {
    await rm(this.draft, { recursive: true, force: true, maxRetries: 10 })
  }

  async removeSetAside(): Promise<void> {
    for (const version of this.setAside) await rm(this.pathOf(version), { recursive: true, maxRetries: 10 })
  }

  /** Replaces the cluster in two steps. Between them a server refuses to start: see `checkComplete`. */
  async #replace(next: string): Promise<void> {
    const current = join(this.home, clusterName)
    const { version } = this
    if (version !== undefined) {
      await rm(this.pathOf(version), { recursive: true, force: true, maxRetries: 10 })
      await rename(current, this.pathOf(version))
      await syncDirectory(this.home)
    }
    await rename(next, current)
    await syncDirectory(this.home)
  }
}

function versionOf(cluster: string): number | undefined {
  try {
    return Number(readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
