// Packs the clients for Python, Go and PHP into the folder argv[2]: a wheel and a source archive for pip, an archive
// for each of Go and Composer, and clients.json, from which the server serves them (ADR 417). The same sources give the
// same bytes, on every machine. Needs Node only, as building the server does.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'fflate'
import { packTar } from 'modern-tar'
import { parse } from 'smol-toml'
import { filesIn, read, readmeOf, repository, shared, version, zip } from './clientPackage.mjs'

const folder = resolve(process.argv[2])

mkdirSync(folder, { recursive: true })
const clients = { python: await packPython(), go: packGo(), php: packPhp() }
writeFileSync(join(folder, 'clients.json'), JSON.stringify(clients))

async function packPython() {
  const { project } = parse(read('sdks/python/pyproject.toml').toString())
  const { name } = project
  const sources = filesIn('sdks/python', ['souk/**/*.py', 'souk/py.typed'])
  const metadata = Buffer.from(pythonMetadata(project))

  const info = `${name}-${version}.dist-info`
  const wheel = {
    ...sources,
    [`${info}/METADATA`]: metadata,
    [`${info}/WHEEL`]: Buffer.from('Wheel-Version: 1.0\nGenerator: souk\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
    // pip installs what is in this folder, beside the package.
    ...Object.fromEntries(Object.entries(shared).map(([name, content]) => [`${info}/${name}`, content])),
  }
  const records = Object.entries(wheel).map(([path, content]) => {
    const hash = createHash('sha256').update(content).digest('base64url')
    return `${path},sha256=${hash},${content.length}\n`
  })
  wheel[`${info}/RECORD`] = Buffer.from(`${records.join('')}${info}/RECORD,,\n`)

  const top = `${name}-${version}`
  const source = {
    'PKG-INFO': metadata,
    ...shared,
    'README.md': Buffer.from(readmeOf('sdks/python')),
    ...filesIn('sdks/python', ['pyproject.toml']),
    ...sources,
  }
  const files = [`${top}-py3-none-any.whl`, `${top}.tar.gz`]
  writeFileSync(join(folder, files[0]), zip(wheel))
  writeFileSync(join(folder, files[1]), await tarball(top, source))
  return { name, requiresPython: project['requires-python'], files }
}

/** Returns the metadata of a package, as setuptools derives it from pyproject.toml. */
function pythonMetadata(project) {
  const extras = Object.entries(project['optional-dependencies']).flatMap(([extra, needed]) => [
    `Provides-Extra: ${extra}`,
    ...needed.map((each) => `Requires-Dist: ${each}; extra == "${extra}"`),
  ])
  const source = repository()
  const fields = [
    'Metadata-Version: 2.1',
    `Name: ${project.name}`,
    `Version: ${version}`,
    `Summary: ${project.description}`,
    `Keywords: ${project.keywords.join(',')}`,
    `License: ${project.license.text}`,
    ...(source ? projectUrls(source) : []),
    `Requires-Python: ${project['requires-python']}`,
    ...extras,
    'Description-Content-Type: text/markdown',
  ]
  return `${fields.join('\n')}\n\n${readmeOf('sdks/python')}`
}

function projectUrls({ url, homepage, changelog }) {
  return [`Homepage, ${homepage}`, `Repository, ${url}`, `Changelog, ${changelog}`].map((it) => `Project-URL: ${it}`)
}

function packGo() {
  const mod = read('sdks/go/go.mod').toString()
  const [, module] = /^module (\S+)$/m.exec(mod)
  // Without tests, and programs that only tests start.
  const sources = {
    ...shared,
    'README.md': Buffer.from(readmeOf('sdks/go')),
    ...filesIn('sdks/go', ['go.mod', '*.go'], (path) => !/_test\.go$/.test(path)),
  }
  const file = `souk-go-${version}.zip`
  const entries = Object.entries(sources).map(([path, content]) => [`${module}@v${version}/${path}`, content])
  writeFileSync(join(folder, file), zip(Object.fromEntries(entries)))
  return { module, version: `v${version}`, mod, file }
}

function packPhp() {
  const manifest = JSON.parse(read('sdks/php/composer.json'))
  const { 'autoload-dev': _tests, ...published } = manifest
  const source = repository()
  const composer = {
    ...published,
    version,
    ...(source && { homepage: source.homepage, support: { source: source.url } }),
  }
  const file = `souk-php-${version}.zip`
  const sources = {
    'composer.json': Buffer.from(`${JSON.stringify(composer, null, 2)}\n`),
    ...shared,
    'README.md': Buffer.from(readmeOf('sdks/php')),
    ...filesIn('sdks/php', ['src/**/*.php']),
  }
  writeFileSync(join(folder, file), zip(sources))
  return { composer, file }
}

async function tarball(top, files) {
  const entries = Object.entries(files).map(([path, body]) => ({
    header: { name: `${top}/${path}`, size: body.length, mode: 0o644, mtime: new Date(0) },
    body,
  }))
  return gzipSync(await packTar(entries), { mtime: 0, level: 9 })
}
