import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const sdks = join(import.meta.dirname, '..')

/** A program to start. */
export interface Command {
  readonly command: string
  readonly args: string[]
  readonly cwd: string
  readonly env?: Record<string, string>
}

/** A language with a client in `sdks/`. */
export interface Language {
  readonly name: string
  /** Its folder in `sdks/`. */
  readonly folder: string
  /** Debian's packages that its tests need. */
  readonly packages: string
  readonly isInstalled: boolean
  /** Runs the tests of the client itself, among them the golden vectors. @throws Error with what they print */
  test(): void
  /** Builds the driver if needed, and returns the command that starts it. */
  driver(folder: string): Command
  /** Writes the program of the README to a folder, and returns the command that the README runs it with. */
  walkthrough(folder: string, program: string): Command
}

/** Debian's own Python, which has the packages of Debian. */
const python = '/usr/bin/python3'

export const languages: readonly Language[] = [
  {
    name: 'Python',
    folder: 'python',
    packages: 'python3 python3-django python3-fastapi python3-httpx',
    isInstalled: existsSync(python) && succeeds(python, '-c', 'import django, fastapi, httpx'),
    test() {
      run(python, ['-m', 'unittest', 'discover', '-s', 'tests'], 'python', pythonPath)
    },
    walkthrough(folder, program) {
      writeFileSync(join(folder, 'shop.py'), program)
      return { command: python, args: ['shop.py'], cwd: folder, env: { PYTHONPATH: join(sdks, 'python') } }
    },
    driver: () => ({ command: python, args: ['tests/driver.py'], cwd: join(sdks, 'python'), env: pythonPath }),
  },
  {
    name: 'Go',
    folder: 'go',
    packages: 'golang-go',
    isInstalled: succeeds('go', 'version'),
    test() {
      run('go', ['test', './...'], 'go', goSettings)
    },
    driver(folder) {
      run('go', ['build', '-o', join(folder, 'driver'), './internal/driver'], 'go', goSettings)
      return { command: join(folder, 'driver'), args: [], cwd: folder }
    },
    walkthrough(folder, program) {
      writeFileSync(join(folder, 'main.go'), program)
      const module = `module shop\n\ngo 1.19\n\nrequire souk v0.1.0\n\nreplace souk => ${join(sdks, 'go')}\n`
      writeFileSync(join(folder, 'go.mod'), module)
      return { command: 'go', args: ['run', '.'], cwd: folder, env: goSettings }
    },
  },
]

const pythonPath = { PYTHONPATH: '.', PYTHONDONTWRITEBYTECODE: '1' }

/** Nothing is downloaded: the module has no dependencies. */
const cache = join(sdks, '../node_modules/.cache/go')
const goSettings = { GOCACHE: cache, GOPATH: cache, GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' }

function succeeds(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

function run(command: string, args: string[], folder: string, env: Record<string, string>): void {
  execFileSync(command, args, { cwd: join(sdks, folder), env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' })
}
