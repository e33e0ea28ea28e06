import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks of /proc in a second, as Linux has them on every platform that Node runs on. */
const ticks = 100

/** Runs a program to its end. Seconds of processor time, user and system, of it and of all that it started; and seconds that passed. */
export async function runToEnd(
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<{ cpu: number; wall: number }> {
  const start = performance.now()
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const used = new Map<number, number>()
  const look = () => {
    for (const { pid, time } of descendants(child.pid!)) used.set(pid, time)
  }
  // A process is gone from /proc when it has ended, so what it used is read while it runs.
  const watch = setInterval(look, 5)
  const [code] = (await once(child, 'close')) as [number | null]
  clearInterval(watch)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${said}`)
  return { cpu: [...used.values()].reduce((a, b) => a + b, 0) / ticks, wall: (performance.now() - start) / 1000 }
}

/** Starts a program that goes on until it is ended, with all that it has started. */
export function startServer(
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): { stop(): Promise<void> } {
  const child: ChildProcess = spawn(process.execPath, args, { ...options, stdio: 'ignore' })
  const ended = once(child, 'close')
  return {
    async stop() {
      const all = descendants(child.pid!)
      child.kill('SIGTERM')
      await Promise.race([ended, new Promise((done) => setTimeout(done, 5_000))])
      for (const { pid } of all) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // Gone by itself, as it should be.
        }
      }
      await ended
    },
  }
}

/** A process and all that came of it, with the processor time that each has used, in ticks. */
function descendants(root: number): { pid: number; time: number }[] {
  const found = new Map<number, { parent: number; time: number }>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8')
      // The name of the program, in parentheses, may hold anything.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      found.set(Number(name), { parent: Number(fields[1]), time: Number(fields[11]) + Number(fields[12]) })
    } catch {
      // It has just ended.
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
  return [...family].flatMap((pid) => (found.has(pid) ? [{ pid, time: found.get(pid)!.time }] : []))
}
