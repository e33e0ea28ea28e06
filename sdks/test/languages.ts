import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { shortJvm, shortJvmEnv } from './jvm.ts'

const sdks = join(import.meta.dirname, '..')

/** A program to start. */
export interface Command {
  readonly command: string
  readonly args: string[]
  readonly cwd: string
  readonly env?: Record<string, string>
}

/** Programs by their name. */
type Sources = Readonly<Record<string, string>>

/** Programs to run: each by its own command, or all by one driver (`driver.ts`) where a process takes long to start. */
export type Programs = { readonly each: (name: string) => Command } | { readonly driver: Command }

/** A language with a client in `sdks/`. */
export interface Language {
  readonly name: string
  /** Folder in `sdks/`. */
  readonly folder: string
  /** Debian's packages that its tests need. */
  readonly packages: string
  readonly isInstalled: boolean
  /** Runs the tests of the client itself, among them the golden vectors. @throws Error with what they print */
  test(): void
  /** Builds the driver if needed, and returns the command that starts it. */
  driver(folder: string): Command
  /**
   * Builds the program that prints every object and error, and returns the command that starts it. `client` is the
   * folder of a copy of the client.
   */
  redaction(client: string): Command
  /** Returns the names of the client's public types, from its sources. */
  publicTypes(): string[]
  /** Writes the program of the README to a folder, and returns the command that the README runs it with. */
  walkthrough(folder: string, program: string): Command
  /** Writes programs to a folder, in which they run, and builds them if needed. */
  programs(folder: string, sources: Sources): Programs
}

const nodeFlags = ['--conditions=souk-source', '--disable-warning=ExperimentalWarning']

/** The TypeScript client, which has its own tests, as a program of the tests that all clients share. */
export const typescript: Pick<Language, 'name' | 'packages' | 'isInstalled' | 'driver' | 'programs'> = {
  name: 'TypeScript',
  packages: '',
  isInstalled: true,
  driver: () => ({ command: process.execPath, args: [...nodeFlags, 'test/typescriptDriver.ts'], cwd: sdks }),
  programs(folder, sources) {
    for (const [name, source] of Object.entries(sources)) writeFileSync(join(folder, `${name}.mts`), source)
    symlinkSync(join(sdks, '../node_modules'), join(folder, 'node_modules'))
    const driver = join(import.meta.dirname, 'typescriptPrograms.ts')
    return { driver: { command: process.execPath, args: [...nodeFlags, driver], cwd: folder } }
  },
}

/** Debian's own Python, which has the packages of Debian. */
const python = '/usr/bin/python3'

/** Debian's folder of jars. */
const jars = '/usr/share/java'
const jackson = ['databind', 'core', 'annotations'].map((it) => `${jars}/jackson-${it}.jar`)

/** The oldest version of Java that the client supports. */
export const javaRelease = /<maven\.compiler\.release>(\d+)</.exec(
  readFileSync(join(sdks, 'java/pom.xml'), 'utf8'),
)![1]!

/** Arguments of Java for a program that uses the client. */
const javaArguments = (client?: string) => [...shortJvm, '-cp', [compiledJava(client), ...jackson].join(':')]

/**
 * Compiles the client in Java and its tests once for their sources, and returns the folder of the classes. It gets its
 * name when it is complete, since several test files need it at the same time.
 */
export function compiledJava(folder: string = join(sdks, 'java')): string {
  const sources = globSync('src/**/*.java', { cwd: folder }).sort()
  const hash = createHash('sha256').update(javaRelease)
  for (const source of sources)
    hash
      .update(`${source}\0`)
      .update(readFileSync(join(folder, source)))
      .update('\0')
  const classes = join(folder, `target/tests-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(classes)) return classes
  mkdirSync(join(folder, 'target'), { recursive: true })
  const incomplete = mkdtempSync(join(folder, 'target/incomplete-'))
  try {
    const options = ['-encoding', 'UTF-8', '-d', incomplete, '--release', javaRelease, '-cp', `${jars}/*`]
    execFileSync('javac', [...options, ...sources], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...shortJvmEnv },
      stdio: 'pipe',
    })
    renameSync(incomplete, classes)
  } catch (error) {
    rmSync(incomplete, { recursive: true })
    // Another process may have finished first.
    if (!existsSync(classes)) throw error
  }
  return classes
}

/** Disables downloads: the client has no dependencies. */
const composerSettings = { COMPOSER_ALLOW_SUPERUSER: '1', COMPOSER_DISABLE_NETWORK: '1', COMPOSER_HOME: '/nonexistent' }

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
    programs(folder, sources) {
      for (const [name, source] of Object.entries(sources)) writeFileSync(join(folder, `${name}.py`), source)
      const driver = join(sdks, 'python/tests/programs.py')
      return { driver: { ...this.walkthrough(folder, ''), args: [driver] } }
    },
    driver: () => ({ command: python, args: ['tests/driver.py'], cwd: join(sdks, 'python'), env: pythonPath }),
    redaction: (client) => ({ command: python, args: ['tests/redaction.py'], cwd: client, env: pythonPath }),
    publicTypes: () => declaredTypes('python/souk/*.py', /^class ([A-Z]\w*)/gm, ['django.py', 'fastapi.py']),
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
    redaction(client) {
      run(newestGo, ['build', '-o', 'redaction', './internal/redaction'], client, goSettings)
      return { command: join(client, 'redaction'), args: [], cwd: client }
    },
    publicTypes: () => declaredTypes('go/*.go', /^type ([A-Z]\w*)(?:\[.*?\])? (?:struct|interface|func)/gm),
    walkthrough(folder, program) {
      writeFileSync(join(folder, 'main.go'), program)
      writeGoModule(folder)
      return { command: 'go', args: ['run', '.'], cwd: folder, env: goSettings }
    },
    programs(folder, sources) {
      for (const [name, source] of Object.entries(sources)) {
        mkdirSync(join(folder, name))
        writeFileSync(join(folder, name, 'main.go'), source)
      }
      writeGoModule(folder)
      // Without symbols for debuggers, which take longest to link.
      run('go', ['build', '-ldflags=-s -w', '-o', join(folder, 'bin/'), './...'], folder, goSettings)
      return { each: (name) => ({ command: join(folder, 'bin', name), args: [], cwd: folder }) }
    },
  },
  {
    name: 'Java',
    folder: 'java',
    packages: 'default-jdk-headless libjackson2-databind-java libspring-web-java junit5',
    isInstalled:
      succeeds('javac', '--version') &&
      ['jackson-databind', 'spring3-web', 'junit-jupiter'].every((name) => existsSync(`${jars}/${name}.jar`)),
    test() {
      const classes = compiledJava()
      const launcher = ['org.junit.platform.console.ConsoleLauncher', '--include-engine', 'junit-jupiter']
      run('java', ['-cp', `${classes}:${jars}/*`, ...launcher, '--scan-classpath', classes], 'java', shortJvmEnv)
    },
    driver: () => ({ command: 'java', args: [...javaArguments(), 'dev.souk.Driver'], cwd: sdks }),
    redaction: (client) => ({
      command: 'java',
      args: [...javaArguments(client), 'dev.souk.PrintedTypes'],
      cwd: client,
    }),
    publicTypes: () =>
      declaredTypes(
        'java/src/main/java/dev/souk/{,model/}*.java',
        /^ *public (?:final |abstract )*(?:class|record|enum) (\w+)/gm,
      ),
    walkthrough(folder, program) {
      writeFileSync(join(folder, 'Shop.java'), program)
      return { command: 'java', args: [...javaArguments(), 'Shop.java'], cwd: folder }
    },
    programs(folder, sources) {
      for (const [name, source] of Object.entries(sources)) {
        mkdirSync(join(folder, name))
        writeFileSync(join(folder, name, 'Main.java'), source)
      }
      return { driver: { command: 'java', args: [...javaArguments(), 'dev.souk.Programs'], cwd: folder } }
    },
  },
  {
    name: 'PHP',
    folder: 'php',
    packages: 'php-cli php-curl php-mbstring composer phpunit php-illuminate-http',
    isInstalled:
      succeeds('php', '-r', 'exit(extension_loaded("curl") && extension_loaded("mbstring") ? 0 : 1);') &&
      existsSync('/usr/share/php/Illuminate/Http/autoload.php') &&
      succeeds('phpunit', '--version') &&
      succeeds('composer', '--version'),
    test() {
      run('phpunit', ['--do-not-cache-result', '--bootstrap', 'tests/autoload.php', 'tests'], 'php', {})
    },
    driver: () => ({ command: 'php', args: ['tests/driver.php'], cwd: join(sdks, 'php') }),
    redaction: (client) => ({ command: 'php', args: [...wholeTraces, 'tests/redaction.php'], cwd: client }),
    publicTypes: () => declaredTypes('php/src/{,Model/}*.php', /^(?:final |abstract )*class (\w+)/gm),
    walkthrough(folder, program) {
      writeFileSync(join(folder, 'shop.php'), program)
      const composer = (...args: string[]) =>
        run('composer', ['--no-interaction', `--working-dir=${folder}`, ...args], 'php', composerSettings)
      composer('init', '--name=shop/backend')
      composer('config', 'repositories.souk', 'path', join(sdks, 'php'))
      composer('require', 'souk/souk:@dev')
      return { command: 'php', args: ['shop.php'], cwd: folder }
    },
    programs(folder, sources) {
      for (const [name, source] of Object.entries(sources)) writeFileSync(join(folder, `${name}.php`), source)
      return { driver: { ...this.walkthrough(folder, ''), args: [join(sdks, 'php/tests/programs.php')] } }
    },
  },
]

/** Go 1.21 or newer beside that of Debian, such as golang-1.22-go from its backports; otherwise Debian's. */
export const newestGo =
  globSync('/usr/lib/go-1.*/bin/go')
    .filter((path) => Number(/go-1\.(\d+)/.exec(path)![1]) >= 21)
    .sort()
    .at(-1) ?? 'go'

/** Writes what makes a folder a module that uses the client. */
function writeGoModule(folder: string): void {
  const client = `require souk.dev/souk v0.2.0\n\nreplace souk.dev/souk => ${join(sdks, 'go')}\n`
  writeFileSync(join(folder, 'go.mod'), `module shop\n\ngo 1.19\n\n${client}`)
}

/** Returns the names that a pattern finds in sources. */
function declaredTypes(pattern: string, declaration: RegExp, others: readonly string[] = []): string[] {
  return globSync(pattern, { cwd: sdks })
    .filter((path) => !others.includes(basename(path)))
    .flatMap((path) => [...readFileSync(join(sdks, path), 'utf8').matchAll(declaration)])
    .map(([, name = '']) => name)
}

/** Settings of PHP for development, with which stack traces contain the arguments of functions. */
const wholeTraces = ['-d', 'zend.exception_ignore_args=0', '-d', 'zend.exception_string_param_max_len=1000000']

const pythonPath = { PYTHONPATH: '.', PYTHONDONTWRITEBYTECODE: '1' }

/** Disables downloads: the module has no dependencies. */
const cache = join(sdks, '../node_modules/.cache/go')
const goSettings = { GOCACHE: cache, GOPATH: cache, GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' }

function succeeds(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

function run(command: string, args: string[], folder: string, env: Record<string, string>): void {
  execFileSync(command, args, { cwd: resolve(sdks, folder), env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' })
}
