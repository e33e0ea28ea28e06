import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { second } from '@souk/contract'
import type { IContainer, IIoK8sApiCoreV1Probe as Probe } from 'kubernetes-models/v1'
import { programOf } from '../bundledPrograms.ts'
import { type Manifest, type Pod, root, variablesOf } from './manifests.ts'

/** Whether this process can start containers: a root of their own, with mounts. */
export const canStartContainers =
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', '--uts', 'setpriv', '--version']).status === 0

/** Where the container finds Node. */
const nodeFolder = '/opt/node'
const flags = ['--conditions=souk-source', '--disable-warning=ExperimentalWarning']

/** Contents of secrets and volumes of a pod. */
interface PodOptions {
  manifests: Manifest[]
  /** Files of each secret by their key. */
  secrets: Record<string, Record<string, string>>
  /** Folders of claims of volumes. */
  claims?: Record<string, string>
  /** Variables other than those of the manifest. */
  env: Record<string, string>
}

/** A container that has ended. */
export interface Ended {
  status: number | null
  signal: string | null
  log: string
}

/** A pod whose containers are processes of this machine, with user, mounts and variables of the manifest. */
export class StartedPod {
  readonly #pod: Pod
  readonly #options: PodOptions
  readonly #folder: string
  #server: ChildProcess | undefined
  #log = ''

  private constructor(pod: Pod, options: PodOptions, folder: string) {
    this.#pod = pod
    this.#options = options
    this.#folder = folder
  }

  /** Creates the volumes of a pod, and runs its init containers. */
  static async create(pod: Pod, options: PodOptions): Promise<StartedPod> {
    const folder = await mkdtemp(join(tmpdir(), 'souk-pod-'))
    const created = new StartedPod(pod, options, folder)
    await created.#createVolumes()
    await created.#createPrograms()
    for (const container of pod.spec.initContainers ?? []) {
      const { status, log } = await created.run(container.command!, container)
      if (status !== 0) throw new Error(`The container ${container.name} has failed: ${log}`)
    }
    return created
  }

  get log(): string {
    return this.#log
  }

  /** Address of the server from this machine. */
  get url(): string {
    return `http://127.0.0.1:${this.#options.env.PORT}`
  }

  get #container(): IContainer {
    return this.#pod.spec.containers[0]!
  }

  /** Runs a command, by default the one of the pod, in a container. */
  async run(command?: string[], container: IContainer = this.#container, env = {}): Promise<Ended> {
    const child = await this.#start(container, command ?? container.command ?? ['souk-server'], env)
    let log = ''
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text) => (log += text))
    const [status, signal] = await once(child, 'close')
    return { status, signal, log }
  }

  /** Starts the server of the pod. */
  async start(): Promise<void> {
    this.#server = await this.#start(this.#container, this.#container.command ?? ['souk-server'])
    for (const stream of [this.#server.stdout!, this.#server.stderr!]) stream.on('data', (text) => (this.#log += text))
  }

  /** Probes the server as a kubelet does, from its machine and by its address. */
  async probe({ httpGet, timeoutSeconds = 1 }: Probe): Promise<number | undefined> {
    const signal = AbortSignal.timeout(timeoutSeconds * second)
    const answer = await fetch(this.url + httpGet!.path, { signal }).catch(() => undefined)
    return answer?.status
  }

  /** Probes the server until it answers 200, as often as the manifest allows. */
  async waitFor(probe: Probe): Promise<void> {
    const deadline = Date.now() + probe.failureThreshold! * probe.periodSeconds! * second
    while ((await this.probe(probe)) !== 200) {
      const { exitCode, signalCode } = this.#server!
      if (exitCode !== null || signalCode !== null || Date.now() > deadline) throw new Error(this.#log)
      await wait(100)
    }
  }

  /** Stops the server as a kubelet does. */
  async stop(): Promise<Ended> {
    const server = this.#server!
    const exited = once(server, 'close')
    server.kill('SIGTERM')
    const killing = setTimeout(() => server.kill('SIGKILL'), this.#pod.spec.terminationGracePeriodSeconds! * second)
    const [status, signal] = await exited
    clearTimeout(killing)
    return { status, signal, log: this.#log }
  }

  /** Removes the volumes, and what still runs. */
  async remove(): Promise<void> {
    this.#server?.kill('SIGKILL')
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #createVolumes(): Promise<void> {
    const { fsGroup } = this.#pod.spec.securityContext!
    for (const { name, secret } of this.#pod.spec.volumes ?? []) {
      const path = this.#folderOf(name)
      await mkdir(path, { recursive: true })
      // As a kubelet does for fsGroup.
      await chown(path, 0, fsGroup!)
      await chmod(path, 0o2777)
      if (!secret) continue
      const files = this.#options.secrets[secret.secretName!]
      const items = secret.items ?? Object.keys(files ?? {}).map((key) => ({ key, path: key }))
      for (const item of items) {
        const content = files?.[item.key]
        if (content === undefined) throw new Error(`The secret ${secret.secretName} has no key ${item.key}.`)
        await writeFile(join(path, item.path), content, { mode: secret.defaultMode! })
        await chown(join(path, item.path), 0, fsGroup!)
      }
    }
  }

  #folderOf(volume: string): string {
    const { persistentVolumeClaim } = this.#pod.spec.volumes!.find(({ name }) => name === volume)!
    if (persistentVolumeClaim) return this.#options.claims![persistentVolumeClaim.claimName]!
    return join(this.#folder, 'volumes', volume)
  }

  /** Writes the commands of the image. */
  async #createPrograms(): Promise<void> {
    const bin = join(this.#folder, 'bin')
    await mkdir(bin)
    const programs = { 'souk-server': 'apps/server/src/main.ts', souk: 'packages/cli/src/main.ts' }
    for (const [name, program] of Object.entries(programs)) {
      const command = [`${nodeFolder}/node`, ...flags, programOf(program).file]
      await writeFile(join(bin, name), `#!/bin/sh\nexec ${command.join(' ')} "$@"\n`, { mode: 0o755 })
    }
  }

  /**
   * Starts a command with a root of its own. It has the programs of this machine and this repository, all read-only;
   * the other folders are those that the manifest mounts.
   */
  async #start(container: IContainer, command: string[], more: Record<string, string> = {}): Promise<ChildProcess> {
    const { runAsUser, runAsGroup, fsGroup } = this.#pod.spec.securityContext!
    const mounts = container.volumeMounts!.map(
      ({ name, mountPath, readOnly }) => `bind ${this.#folderOf(name)} ${mountPath} ${readOnly ? 'ro' : 'rw'}`,
    )
    const script = `
      echo ${basename(this.#folder)} > /proc/sys/kernel/hostname
      root=$(mktemp -d ${this.#folder}/root-XXXXXX)
      mount -t tmpfs -o mode=755 tmpfs "$root"
      bind() {
        mkdir -p "$root$2"
        mount --rbind "$1" "$root$2"
        mount -o "remount,bind,$3" "$root$2"
      }
      for path in /usr /etc /bin /sbin /lib /lib64 /proc /dev; do
        if [ -L $path ]; then cp -P $path "$root"
        elif [ -d $path ]; then bind $path $path ro
        fi
      done
      bind ${this.#folder}/bin /usr/local/bin ro
      ${mounts.join('\n')}
      bind ${dirname(process.execPath)} ${nodeFolder} ro
      bind ${root} ${root} ro
      mount -o remount,ro "$root"
      exec chroot "$root" setpriv --reuid=${runAsUser} --regid=${runAsGroup} --groups=${fsGroup} --no-new-privs \
        --bounding-set=-all --inh-caps=-all env --chdir=/var/lib/souk "$@"`
    return spawn('unshare', ['--mount', '--uts', 'bash', '--norc', '-euc', script, 'bash', ...command], {
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
        // A failed test may not stop it.
        NODE_OPTIONS: `--import=${join(root, 'setup/exitWithParent.mjs')}`,
        ...(await variablesOfImage()),
        ...variablesOf(container, this.#options.manifests),
        ...this.#options.env,
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }
}

/** Returns the variables that the image sets. */
async function variablesOfImage(): Promise<Record<string, string>> {
  const [, pairs] = /^ENV (.*)$/m.exec(await readFile(join(root, 'Containerfile'), 'utf8'))!
  return Object.fromEntries(pairs!.split(' ').map((pair) => pair.split('=') as [string, string]))
}
