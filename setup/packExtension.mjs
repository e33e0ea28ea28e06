// Packs the VS Code extension with its language server into the folder argv[2], and prints the path of the .vsix file.
// The client library and vsce are installed in editors/vscode when they are needed, not with the root (ADR 120).
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { isInstalled } from './installed.mjs'
import { licensesOf } from './licenses.mjs'

const root = dirname(import.meta.dirname)
const source = join(root, 'editors/vscode')
const folder = resolve(process.argv[2] ?? 'release')
// Without the settings of the npm that runs this script.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
const stdio = ['ignore', 2, 'inherit']

if (!isInstalled(source)) {
  const flags = ['--ignore-scripts', '--loglevel=error', '--no-audit', '--no-fund']
  execFileSync('npm', ['ci', ...flags], { cwd: source, env, stdio })
}
const { scripts: _scripts, devDependencies: _devDependencies, ...manifest } = readJson(join(source, 'package.json'))
const file = join(folder, `${manifest.name}-${manifest.version}.vsix`)
const staging = mkdtempSync(join(tmpdir(), 'souk-vsix-'))
try {
  const extension = await bundle(join(source, 'extension.js'), 'cjs', 'extension.cjs', ['vscode'])
  const server = await bundle(join(root, 'packages/language-server/src/main.ts'), 'esm', 'server.mjs', [])
  writeFileSync(join(staging, 'package.json'), JSON.stringify(manifest, null, 2))
  writeFileSync(join(staging, 'THIRD-PARTY-LICENSES.txt'), licensesOf([...extension, ...server]))
  cpSync(join(source, 'README.md'), join(staging, 'README.md'))
  for (const name of ['LICENSE', 'CHANGELOG.md']) cpSync(join(root, name), join(staging, name))
  cpSync(join(root, 'apps/host/public/icon-192.png'), join(staging, manifest.icon))
  mkdirSync(folder, { recursive: true })
  const flags = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--out', file]
  const vsce = join(source, 'node_modules/@vscode/vsce/vsce')
  execFileSync(process.execPath, [vsce, 'package', ...flags], { cwd: staging, env, stdio })
} finally {
  rmSync(staging, { recursive: true })
}
console.log(file)

/** Writes one file to dist in the staging folder, and returns the paths of the modules in it. */
async function bundle(input, format, name, external) {
  const build = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    external,
    resolve: {
      conditionNames: ['souk-source', format === 'cjs' ? 'require' : 'import', 'node', 'default'],
      // The main file of jsonc-parser has calls of require() that cannot be bundled.
      mainFields: ['module', 'main'],
    },
    onLog(_level, log) {
      throw new Error(`${log.code}: ${log.message}`)
    },
  })
  const file = join(staging, 'dist', name)
  const { output } = await build.write({ file, format, minify: true, codeSplitting: false })
  await build.close()
  return output[0].moduleIds
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
