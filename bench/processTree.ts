import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second in /proc, on every Linux platform of Node. */
const ticksPerSecond = 100

/** Runs a program. Returns the CPU time (user and system) of its process tree and the elapsed time, in seconds. */
export async function runToEnd(
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<{ cpu: number; wall: number }> {
  const start = performance.now()
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const used = new Map<number, number>()
  const sample = () => {
    for (const { pid, time } of descendants(child.pid!)) used.set(pid, time)
  }
  // An ended process is no longer in /proc, so its time is sampled while it runs.
  const sampler = setInterval(sample, 5)
  const [code] = (await once(child, 'close')) as [number | null]
  clearInterval(sampler)
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}:\n${output}`)
  return {
    cpu: [...used.values()].reduce((a, b) => a + b, 0) / ticksPerSecond,
    wall: (performance.now() - start) / 1000,
  }
}

/** Starts a program. `stop` ends its whole process tree. */
export function startServer(
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): { stop(): Promise<void> } {
  const child: ChildProcess = spawn(process.execPath, args, { ...options, stdio: 'ignore' })
  const ended = once(child, 'close')
  return {
    async stop() {
      const tree = descendants(child.pid!)
      child.kill('SIGTERM')
      await Promise.race([ended, new Promise((done) => setTimeout(done, 5_000))])
      for (const { pid } of tree) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // It has already exited.
        }
      }
      await ended
    },
  }
}

/** Returns the processor time of a process and its descendants, including those that have ended, in seconds. */
export function processorTime(pid: number): number {
  return descendants(pid).reduce((sum, { time, ended }) => sum + time + ended, 0) / ticksPerSecond
}

/** A process with its CPU time, and that of its children that have ended, in ticks. */
interface Process {
  pid: number
  time: number
  ended: number
}

/** Returns a process and its running descendants. */
function descendants(root: number): Process[] {
  const found = new Map<number, Process & { parent: number }>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8')
      // The program name, in parentheses, may contain spaces.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number) as [
        number,
        number,
        number,
        number,
      ]
      const pid = Number(name)
      found.set(pid, { pid, parent: Number(fields[1]), time: user + system, ended: endedUser + endedSystem })
    } catch {
      // It has just exited.
    }
  }
  const family = new Set([root])
  for (let grown = true; grown; ) {
    grown = false
    for (const [pid, { parent }] of found) {
      if (!family.has(parent) || family.has(pid)) continue
      family.add(pid)
      grown = true
    }
  }
  return [...family].flatMap((pid) => found.get(pid) ?? [])
}
