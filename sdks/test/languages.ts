import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const sdks = join(import.meta.dirname, '..')

/** A language with a client in `sdks/`. */
export interface Language {
  readonly name: string
  /** Debian's packages that its tests need. */
  readonly packages: string
  readonly isInstalled: boolean
  /** Runs the tests of the client itself, among them the golden vectors. @throws Error with what they print */
  test(folder: string): void
  /** Builds the driver if needed, and returns the command that starts it. */
  driver(folder: string): { command: string; args: string[]; cwd: string; env?: Record<string, string> }
}

/** Debian's own Python, which has the packages of Debian. */
const python = '/usr/bin/python3'

export const languages: readonly Language[] = [
  {
    name: 'Python',
    packages: 'python3 python3-django python3-fastapi python3-httpx',
    isInstalled: existsSync(python) && succeeds(python, '-c', 'import django, fastapi, httpx'),
    test() {
      run(python, ['-m', 'unittest', 'discover', '-s', 'tests'], 'python', pythonPath)
    },
    driver: () => ({ command: python, args: ['tests/driver.py'], cwd: join(sdks, 'python'), env: pythonPath }),
  },
  {
    name: 'Go',
    packages: 'golang-go',
    isInstalled: succeeds('go', 'version'),
    test(folder) {
      run('go', ['vet', './...'], 'go', goSettings(folder))
      run('go', ['test', './...'], 'go', goSettings(folder))
    },
    driver(folder) {
      run('go', ['build', '-o', join(folder, 'driver'), './internal/driver'], 'go', goSettings(folder))
      return { command: join(folder, 'driver'), args: [], cwd: folder }
    },
  },
]

const pythonPath = { PYTHONPATH: '.', PYTHONDONTWRITEBYTECODE: '1' }

/** Nothing is downloaded: the module has no dependencies. */
function goSettings(folder: string): Record<string, string> {
  return { GOCACHE: join(folder, 'cache'), GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local', HOME: folder }
}

function succeeds(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

function run(command: string, args: string[], folder: string, env: Record<string, string>): void {
  execFileSync(command, args, { cwd: join(sdks, folder), env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' })
}
