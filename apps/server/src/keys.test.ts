import { execFile } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createLog } from './kernel/log.ts'
import { SecretFileError } from './kernel/secretFile.ts'
import { adminTokenIn, loadKeyRing, loadSetupToken, restrictSecretFiles } from './keys.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'souk keys '))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
})

const inNewInstallation = { mayCreate: true }
const load = {
  'setup-token': () => loadSetupToken(dataDir),
  'master-key': async () => (await loadKeyRing(dataDir, inNewInstallation))[0]!.toString('hex'),
}
const names = Object.keys(load) as (keyof typeof load)[]

/** Runs a loader in a process that cannot write a byte to a file, as on a full disk. */
async function loadOnFullDisk(call: string): Promise<string> {
  const script = `import { ${call.split('(')[0]} } from ${JSON.stringify(join(import.meta.dirname, 'keys.ts'))}
    const dataDir = ${JSON.stringify(dataDir)}
    await ${call}.catch((error) => console.log(error.message))`
  const flags = ['--conditions=souk-source', '--disable-warning=ExperimentalWarning', '--input-type=module']
  const run = 'ulimit -f 0; exec "$0" "$@"'
  const { stdout } = await promisify(execFile)('sh', ['-c', run, process.execPath, ...flags, '--eval', script])
  return stdout
}

test('removes the permissions of other users from secret files, with a warning for each', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const files = ['admin-token', 'master-key', 'setup-token', 'demo.json'].map((name) => join(dataDir, name))
  const modes = () => files.map((file) => statSync(file).mode & 0o777)

  for (const name of names) await load[name]()
  await adminTokenIn(dataDir).write(`souk_admin_${'x'.repeat(43)}`)
  writeFileSync(join(dataDir, 'demo.json'), '{}', { mode: 0o600 })
  await restrictSecretFiles(dataDir, log)
  expect(modes()).toEqual([0o600, 0o600, 0o600, 0o600])
  expect(lines).toEqual([])

  for (const file of files) chmodSync(file, 0o644)
  await restrictSecretFiles(dataDir, log)
  expect(modes()).toEqual([0o600, 0o600, 0o600, 0o600])
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    files.map((path) => expect.objectContaining({ level: 40, path, was: '644' })),
  )
})

describe.each(names)('%s', (name) => {
  const file = () => join(dataDir, name)

  test('is created once, readable by its owner only, without leaving other files', async () => {
    const secret = await load[name]()
    expect(secret.length).toBeGreaterThan(40)
    expect(await load[name]()).toBe(secret)
    expect(readFileSync(file(), 'utf8')).toBe(`${secret}\n`)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(readdirSync(dataDir)).toEqual([name])
  })

  test.each(['', '\n', '  \n'])('is created again if the file is empty (%j)', async (content) => {
    writeFileSync(file(), content, { mode: 0o644 })
    const secret = await load[name]()
    expect(secret.length).toBeGreaterThan(40)
    expect(readFileSync(file(), 'utf8')).toBe(`${secret}\n`)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })

  test('is rejected if the file is damaged, with an error that names the file and the remedy', async () => {
    const secret = await load[name]()
    const damaged = [secret.slice(0, -1), `${secret}0`, `${secret} ${secret}`, '\0'.repeat(secret.length), 'x']
    for (const content of damaged) {
      writeFileSync(file(), content)
      const error = await load[name]().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(SecretFileError)
      expect(String(error)).toContain(`${file()} is damaged: it must contain`)
      expect(String(error)).toContain('Restore it from a backup')
      expect(String(error)).not.toContain(secret)
      expect(readFileSync(file(), 'utf8')).toBe(content)
    }
  })

  test('is not left empty by a full disk', async () => {
    const calls = {
      'setup-token': 'loadSetupToken(dataDir)',
      'master-key': 'loadKeyRing(dataDir, { mayCreate: true })',
    }
    expect(await loadOnFullDisk(calls[name])).toContain(`${file()} cannot be written: EFBIG`)
    expect(readdirSync(dataDir)).toEqual([])
    expect((await load[name]()).length).toBeGreaterThan(40)
  })

  test('is created although a crash left a draft', async () => {
    writeFileSync(`${file()}.new`, 'half', { mode: 0o644 })
    await load[name]()
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(readdirSync(dataDir)).toEqual([name])
  })
})

test.skipIf(process.getuid?.() !== 0)('a secret file that root writes belongs to the owner of the folder', async () => {
  chownSync(dataDir, 65534, 65533)
  await load['master-key']()
  expect(statSync(join(dataDir, 'master-key'))).toMatchObject({ uid: 65534, gid: 65533 })
})

test.each(['missing', 'empty'])('a %s master key is not replaced if the database has secrets', async (state) => {
  const file = join(dataDir, 'master-key')
  if (state === 'empty') writeFileSync(file, '')
  const error = await loadKeyRing(dataDir, { mayCreate: false }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(SecretFileError)
  expect(String(error)).toContain(`${file} is missing or empty`)
  expect(String(error)).toContain('set SOUK_MASTER_KEY')
  expect(readdirSync(dataDir)).toEqual(state === 'empty' ? ['master-key'] : [])
})

test('the admin token is read from its file each time, and a damaged file is refused', async () => {
  const adminToken = adminTokenIn(dataDir)
  expect(adminToken.read()).toBeUndefined()
  writeFileSync(adminToken.file, '\n')
  expect(adminToken.read()).toBe('')
  const token = `souk_admin_${'x'.repeat(43)}`
  await adminToken.write(token)
  expect(adminToken.read()).toBe(token)
  expect(statSync(adminToken.file).mode & 0o777).toBe(0o600)
  writeFileSync(adminToken.file, token.slice(1))
  expect(() => adminToken.read()).toThrow(`${adminToken.file} is damaged: it must contain souk_admin_`)
  await adminToken.delete()
  expect(adminToken.read()).toBeUndefined()
})
