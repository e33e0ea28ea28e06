import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { startDatabase } from './kernel/db/database.ts'
import { createEgress } from './kernel/egress.ts'
import { createLog } from './kernel/log.ts'
import { secretSettings, type settings } from './settings.ts'

test('reads the public URL in the form that browsers send, without a slash at its end', () => {
  const read = (SOUK_PUBLIC_URL: string) => readConfig({ SOUK_PUBLIC_URL }).publicUrl
  expect(read('')).toBe('http://localhost:7070')
  expect(read('HTTPS://Souk.Example:443/')).toBe('https://souk.example')
  expect(read('https://souk.example//')).toBe('https://souk.example')
  const more = ['https://a:b@souk.example', 'https://souk.example/?a=1', 'https://souk.example/souk']
  for (const wrong of ['souk.example', 'ftp://souk.example', ...more]) {
    expect(() => read(wrong)).toThrow(ConfigError)
  }
})

test('reads the allowed hosts, and names the one that is not a host', () => {
  expect(readConfig({}).allowedHosts).toEqual([])
  const hosts = 'souk, Souk.internal 192.0.2.1,2001:db8::1'
  expect(readConfig({ SOUK_ALLOWED_HOSTS: hosts }).allowedHosts).toEqual([
    'souk',
    'Souk.internal',
    '192.0.2.1',
    '2001:db8::1',
  ])
  for (const wrong of ['http://souk', 'souk:7070', '*', '*.souk.test', 'souk/', '[::1]']) {
    expect(() => readConfig({ SOUK_ALLOWED_HOSTS: `souk,${wrong}` })).toThrow(ConfigError)
    expect(() => readConfig({ SOUK_ALLOWED_HOSTS: `souk,${wrong}` })).toThrow(`not "${wrong}"`)
  }
})

test.each([
  ['SOUK_PUBLIC_URL', 'https://*.souk.example'],
  ['SOUK_MINI_APPS_URL', 'https://*.mini.example'],
  ['SOUK_MINI_APPS_URL', 'https://mini.example;sandbox'],
  ['SOUK_MAP_TILES', 'https://*.example/{z}/{x}/{y}.png'],
  ['SOUK_MAP_TILES', 'https://tiles.example/;sandbox/{z}/{x}/{y}.png'],
])('%s must name one host, since it is part of content security policies: %s', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name} must be`)
})

test('refuses addresses without showing a password in them', () => {
  const tiles = 'souk:hidden@tiles.example/{z}/{x}/{y}.png'
  for (const [name, value, shown] of [
    ['SOUK_PUBLIC_URL', 'https://souk:hidden@souk.example', 'not "https://…@souk.example"'],
    ['SOUK_PUBLIC_URL', 'https://souk:hid/den@x:hidden@souk.example', 'not "https://…@souk.example"'],
    ['SOUK_PUBLIC_URL', 'souk:hidden@souk.example', 'not "…@souk.example"'],
    ['SOUK_MINI_APPS_URL', 'https://souk:hidden@mini.example', 'not "https://…@mini.example"'],
    ['SOUK_HOST_URL', '//souk:hidden@host.example', '…@host.example"'],
    ['SOUK_HOST_URL', 'myhost://souk:hidden@pay', 'not "myhost://…@pay"'],
    ['SOUK_MAP_TILES', `ftp://${tiles}`, 'not "ftp://…@tiles.example/{z}/{x}/{y}.png"'],
    ['SOUK_MAP_TILES', `https://${tiles}`, 'not "https://…@tiles.example/{z}/{x}/{y}.png"'],
    ['SOUK_ALLOWED_HOSTS', 'https://souk:hidden@souk.example', 'not "https://…@souk.example"'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://souk:hidden@otel.example:4317', 'not "grpc://…@otel.example:4317"'],
  ] as const) {
    expect(() => readConfig({ [name]: value })).toThrow(`${name} must be`)
    expect(() => readConfig({ [name]: value })).toThrow(shown)
    expect(() => readConfig({ [name]: value })).not.toThrow(/hid/)
  }
})

test('reads one or more master keys, and names the one that is wrong without showing it', () => {
  const [one, two] = ['a'.repeat(64), 'b'.repeat(64)]
  expect(readConfig({}).masterKeys).toBeUndefined()
  expect(readConfig({ SOUK_MASTER_KEY: `${one},${two}` }).masterKeys).toEqual([
    Buffer.from(one, 'hex'),
    Buffer.from(two, 'hex'),
  ])
  const messageOf = (value: string) => {
    try {
      return String(readConfig({ SOUK_MASTER_KEY: value }).masterKeys)
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError)
      return String(error)
    }
  }
  expect(messageOf(`${one},${two.slice(1)}`)).toContain('but key 2 does not consist of 64 hexadecimal digits')
  expect(messageOf(`${one} ${one}`)).toContain('but key 2 repeats key 1')
  expect(messageOf(`${one},${two.slice(1)}`)).not.toContain(one)
  expect(messageOf(',')).toContain('but it names no key')
})

test('reads the mail server; TLS is required except on the same machine', () => {
  const mailOf = (url: string, from = 'Souk <souk@mail.example>') =>
    readConfig({ SOUK_SMTP_URL: url, SOUK_MAIL_FROM: from }).mail
  const from = { name: 'Souk', address: 'souk@mail.example' }
  expect(readConfig({}).mail).toBeUndefined()
  expect(mailOf('smtps://a%40b:p%3Aw@mail.example')).toEqual({
    host: 'mail.example',
    port: 465,
    tls: 'immediate',
    user: 'a@b',
    password: 'p:w',
    from,
  })
  expect(mailOf('smtp://mail.example')).toEqual({ host: 'mail.example', port: 587, tls: 'required', from })
  expect(mailOf('smtp://relay:25?tls=off')).toMatchObject({ port: 25, tls: 'off' })
  expect(mailOf('smtp://[::1]:25')).toMatchObject({ host: '::1', tls: 'off' })
  expect(mailOf('smtp://mail.example', 'souk@mail.example')?.from).toEqual(from)
})

test('refuses settings of mail that cannot work, without showing the password', () => {
  const read =
    (SOUK_SMTP_URL: string, SOUK_MAIL_FROM = 'souk@mail.example') =>
    () =>
      readConfig({ SOUK_SMTP_URL, SOUK_MAIL_FROM })
  for (const url of ['mail.example', 'http://u:hidden@mail.example', 'smtp://', 'smtp://mail.example?tls=maybe']) {
    expect(read(url)).toThrow(/^SOUK_SMTP_URL must be smtps:(?!.*hidden)/)
  }
  expect(read('smtp://u:hidden@mail.example?tls=off')).toThrow('plain text')
  expect(read('smtps://u:%hidden@mail.example')).toThrow('%25')
  for (const from of ['', 'Souk', 'a@b', 'Souk <a@mail.example>, b@mail.example', 'So\r\nuk <a@mail.example>']) {
    expect(read('smtps://mail.example', from)).toThrow('SOUK_MAIL_FROM must be the sender')
  }
})

test('reads the object storage, and refuses what cannot work without showing the secret', () => {
  const keys = { SOUK_S3_ACCESS_KEY_ID: 'key', SOUK_S3_SECRET_ACCESS_KEY: 'hidden-secret' }
  const read = (env: Record<string, string>) => readConfig({ ...keys, ...env })
  expect(readConfig({})).toMatchObject({ storage: 'database', objectStorage: undefined })
  const SOUK_S3_URL = 'https://s3.example.com/souk'
  expect(read({ SOUK_S3_URL, SOUK_STORAGE: 's3' })).toMatchObject({
    storage: 's3',
    objectStorage: {
      url: `${SOUK_S3_URL}/`,
      region: 'us-east-1',
      accessKeyId: 'key',
      secretAccessKey: 'hidden-secret',
    },
  })
  const wrong: [Record<string, string>, string][] = [
    [{ SOUK_STORAGE: 's3' }, 'SOUK_S3_URL must be set'],
    [{ SOUK_STORAGE: 'disk' }, 'SOUK_STORAGE must be one of database, s3'],
    [{ SOUK_S3_URL, SOUK_S3_ACCESS_KEY_ID: '' }, 'SOUK_S3_ACCESS_KEY_ID and SOUK_S3_SECRET_ACCESS_KEY must be set'],
    ...['s3://souk', 'souk', 'https://key:secret@s3.example.com/souk/', 'https://s3.example.com/souk?x=1'].map(
      (url): [Record<string, string>, string] => [{ SOUK_S3_URL: url }, 'SOUK_S3_URL must be the http or https URL'],
    ),
  ]
  for (const [env, message] of wrong) {
    expect(() => read(env)).toThrow(ConfigError)
    expect(() => read(env)).toThrow(message)
    expect(() => read(env)).not.toThrow('hidden-secret')
    expect(() => read(env)).not.toThrow('key:secret')
  }
})

/** A wrong value of each setting, with the settings that it needs; undefined if every text is allowed. */
const wrongValues: Record<(typeof settings)[number], Record<string, string> | string | undefined> = {
  PORT: '70700',
  HOST: undefined,
  DATABASE_URL: 'postgres.example',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
  OTEL_TRACES_SAMPLER_ARG: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_TRACES_SAMPLER_ARG: '200' },
  SOUK_ACCESS_TOKEN_LIFETIME: '1d',
  SOUK_ALLOWED_HOSTS: 'http://souk',
  SOUK_ANALYTICS_RETENTION: '1',
  SOUK_APPROVALS: 'none',
  SOUK_ARCHIVE_DIR: undefined,
  SOUK_BACKUP_PASSPHRASE: undefined,
  SOUK_DATABASE_CONNECTIONS: '1',
  SOUK_DATA_DIR: undefined,
  SOUK_DIRECT_DATABASE_URL: 'postgres://db.example/souk',
  SOUK_DRAIN_DELAY: '-1',
  SOUK_ENVIRONMENT: 'production',
  SOUK_HOST_URL: '/host',
  SOUK_IDLE_TIMEOUT: '1',
  SOUK_LOG_LEVEL: 'verbose',
  SOUK_MAIL_FROM: { SOUK_SMTP_URL: 'smtps://mail.example', SOUK_MAIL_FROM: 'Souk' },
  SOUK_MAP_ATTRIBUTION: undefined,
  SOUK_MAP_TILES: 'https://tiles.example',
  SOUK_MASTER_KEY: 'secret',
  SOUK_MAX_CONNECTIONS: '1',
  SOUK_MIGRATIONS: 'never',
  SOUK_MINI_APPS_URL: 'mini.example',
  SOUK_OPEN_API_2023: 'yes',
  SOUK_OPEN_API_ALWAYS_200: '1',
  SOUK_PRIVATE_HOSTS: 'pay.example:80',
  SOUK_PROJECT_CREATION: 'nobody',
  SOUK_PUBLIC_URL: 'souk.example',
  SOUK_RATE_LIMIT: '1.5',
  SOUK_REQUEST_LOG_RETENTION: '0',
  SOUK_REQUEST_TIMEOUT: '0',
  SOUK_REQUIRE_SIGNED_RELEASES: 'on',
  SOUK_ROLE: 'web',
  SOUK_S3_ACCESS_KEY_ID: { SOUK_S3_URL: 'https://s3.example/souk', SOUK_S3_SECRET_ACCESS_KEY: 'secret' },
  SOUK_S3_REGION: undefined,
  SOUK_S3_SECRET_ACCESS_KEY: { SOUK_S3_URL: 'https://s3.example/souk', SOUK_S3_ACCESS_KEY_ID: 'id' },
  SOUK_S3_URL: 's3://souk',
  SOUK_SMTP_URL: 'mail.example',
  SOUK_STATEMENT_TIMEOUT: '0',
  SOUK_STORAGE: 'disk',
  SOUK_TRADE_RETENTION: '12',
  SOUK_TRUST_PROXY: 'yes',
}

test.each(Object.entries(wrongValues).filter(([, wrong]) => wrong !== undefined))(
  'an error of %s names it, and says what is allowed',
  async (name, wrong) => {
    const env = typeof wrong === 'string' ? { [name]: wrong } : wrong
    const start = async () => {
      const { privateHosts, databaseUrl } = readConfig(env)
      createEgress({ allowlist: privateHosts, loopback: false })
      await startDatabase({ databaseUrl, dataDir: '/nowhere', log: createLog('silent'), onLost: () => {} })
    }
    const { message } = await start().then(
      () => new Error('the server has started'),
      (error: Error) => error,
    )
    expect(message).toMatch(new RegExp(`\\b${name}\\b`))
    expect(message).toMatch(/must be|must name|must not|needs|such as/)
    expect(message).not.toContain('secret"')
  },
)

describe('secrets in files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'souk-secrets-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const values: Record<(typeof secretSettings)[number], string> = {
    DATABASE_URL: 'postgres://souk:hidden@db.example/souk',
    SOUK_BACKUP_PASSPHRASE: ' with spaces ',
    SOUK_DIRECT_DATABASE_URL: 'postgres://souk:hidden@db2.example/souk',
    SOUK_MASTER_KEY: 'a'.repeat(64),
    SOUK_S3_ACCESS_KEY_ID: 'id',
    SOUK_S3_SECRET_ACCESS_KEY: 'hidden',
    SOUK_SMTP_URL: 'smtps://souk:hidden@mail.example:465',
  }
  const others = { SOUK_S3_URL: 'https://s3.example/souk', SOUK_MAIL_FROM: 'souk@example.com' }
  const fileOf = (name: string, content: string) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }

  test.each(secretSettings)('%s can be in a file, with a line break at its end', (name) => {
    const { [name]: value, ...rest } = values
    const path = fileOf(name, `${value}\n`)
    expect(readConfig({ ...others, ...rest, [`${name}_FILE`]: path })).toEqual(readConfig({ ...others, ...values }))
  })

  test.each(secretSettings)('an error of %s_FILE names it, and shows no secret', (name) => {
    const read = (env: Record<string, string>) => () => readConfig({ ...others, ...env })
    const path = fileOf(`other ${name}`, values[name])
    const both = read({ [name]: values[name], [`${name}_FILE`]: path })
    expect(both).toThrow(new ConfigError(`${name} must not be set if ${name}_FILE is set`))
    expect(read({ [`${name}_FILE`]: join(folder, 'missing') })).toThrow(
      `${name}_FILE must name a file that Souk can read, but ENOENT`,
    )
    expect(read({ [`${name}_FILE`]: fileOf('empty', ' \n') })).toThrow(`${name}_FILE must name a file with the value`)
  })

  test('every setting whose value an error hides can be in a file', () => {
    const secret = /KEY|SECRET|PASS|TOKEN$|(?:DATABASE|SMTP)_URL/
    expect(Object.keys(wrongValues).filter((name) => secret.test(name))).toEqual([...secretSettings].sort())
  })
})
