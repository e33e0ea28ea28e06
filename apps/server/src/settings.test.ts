import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { explainUnknownSettings, settings } from './settings.ts'

const root = join(import.meta.dirname, '../../..')

test('knows every variable that a file of the repository names', () => {
  const found = execFileSync(
    'git',
    ['grep', '-hoIwE', 'SOUK_[A-Z0-9_]+[A-Z0-9]', '--', ':!*.test.ts', ':!CHANGELOG.md'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  // The beginning of several names, and the example of an unknown one in the guide.
  const others = ['SOUK_S3', 'SOUK_PORT']
  const names = new Set(found.split('\n').filter((name) => name && !others.includes(name)))
  expect(names).toContain('SOUK_HA_STATE')
  expect(explainUnknownSettings(Object.fromEntries([...names].map((name) => [name, 'x'])))).toEqual([])
})

test('only the configuration reads the environment', () => {
  const files = ['apps/server/src/*.ts', ':!*.test.ts', ':!*.child.ts', ':!*.fixture.ts']
  const found = execFileSync('git', ['grep', '-lw', 'process.env', '--', ...files], { cwd: root, encoding: 'utf8' })
  // The programs pass it on, to explain unknown settings.
  expect(found.trim().split('\n')).toEqual(['commands', 'config', 'main'].map((name) => `apps/server/src/${name}.ts`))
})

test('names unknown variables, with the setting that was probably meant', () => {
  const suggestionOf = (name: string) => {
    const [sentence, ...more] = explainUnknownSettings({ [name]: 'x' })
    expect(more).toEqual([])
    expect(sentence).toContain(`no setting ${name}`)
    return sentence!.match(/Did you mean (\w+)\?$/)?.[1]
  }
  expect(suggestionOf('SOUK_PORT')).toBe('PORT')
  expect(suggestionOf('SOUK_HOST')).toBe('HOST')
  expect(suggestionOf('SOUK_DATABASE_URL')).toBe('DATABASE_URL')
  expect(suggestionOf('SOUK_PUBLIC_URI')).toBe('SOUK_PUBLIC_URL')
  expect(suggestionOf('SOUK_EXAMPEL')).toBe('SOUK_EXAMPLE')
  expect(suggestionOf('SOUK_COFFEE_MACHINE')).toBeUndefined()
  // One letter missing, doubled, or replaced in each setting.
  for (const name of settings.filter((it) => it.startsWith('SOUK_'))) {
    const last = name.length - 1
    for (const wrong of [name.slice(0, last), `${name}${name[last]}`, `${name.slice(0, last)}_`])
      expect(suggestionOf(wrong)).toBe(name)
  }
})

test('says nothing about settings, other variables, and those that Kubernetes adds for a service', () => {
  expect(
    explainUnknownSettings({
      PORT: '7070',
      SOUK_DATA_DIR: '/var/lib/souk',
      SOUK_TOKEN: 'souk_sa_x',
      UNRELATED: 'x',
      SOUK_SERVICE_HOST: '10.0.0.1',
      SOUK_SERVICE_PORT_HTTP: '7070',
      SOUK_PORT: 'tcp://10.0.0.1:7070',
      SOUK_PORT_7070_TCP: 'tcp://10.0.0.1:7070',
      SOUK_PORT_7070_TCP_ADDR: '10.0.0.1',
    }),
  ).toEqual([])
})
