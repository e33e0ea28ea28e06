// Makes the contents of an archive, argv[2], the next commit and the tag argv[4] of the repository argv[3] (ADR 431).
// Does nothing if the tag exists.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'

const [archive, repository, tag] = process.argv.slice(2)
const clone = mkdtempSync(join(tmpdir(), 'souk-sources-'))
const git = (...args) =>
  execFileSync('git', args, { cwd: clone, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
try {
  git('clone', '--quiet', repository, '.')
  if (git('tag', '--list', tag)) console.log(`${repository} has ${tag} already.`)
  else push()
} finally {
  rmSync(clone, { recursive: true })
}

function push() {
  git('rm', '-r', '--quiet', '--ignore-unmatch', '.')
  for (const [path, content] of Object.entries(unzipSync(readFileSync(archive)))) {
    // A module of Go has its path and version in front of each name.
    const target = join(clone, path.replace(/^.*@v[^/]*\//, ''))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content)
  }
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', `--message=Release ${tag}`)
  git('tag', tag)
  git('push', '--quiet', '--atomic', 'origin', 'HEAD', tag)
}
