import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import {
  type EmbedMethods,
  type EmbedPageMethods,
  embedChannel,
  embedErrors,
  embedHandlers,
  embedResults,
  embedVersion,
} from '@souk/contract/embed'
import { describe, expect, test } from 'vitest'
import { shortJvmEnv } from '../sdks/test/jvm.ts'
import { androidStubs } from './embed-android/test/androidStubs.ts'
import { createProtocol, Refusal } from './embed-react-native/embedProtocol.ts'

const run = promisify(execFile)
const here = import.meta.dirname
const read = (path: string) => readFileSync(join(here, path), 'utf8')

const android = 'embed-android/app/src/main/kotlin/example/souk'
const samples = {
  Kotlin: [`${android}/EmbedProtocol.kt`, `${android}/MainActivity.kt`],
  Swift: ['embed-ios/Souk.swiftpm/EmbedProtocol.swift', 'embed-ios/Souk.swiftpm/MiniAppView.swift'],
  Dart: ['embed-flutter/lib/embed_protocol.dart', 'embed-flutter/lib/main.dart'],
  TypeScript: ['embed-react-native/embedProtocol.ts', 'embed-react-native/App.tsx'],
}
const calls = ['initialize', 'getSession'] satisfies (keyof EmbedMethods)[]
const pageCalls = ['back'] satisfies (keyof EmbedPageMethods)[]
/** Parts of JSON-RPC, and fields of the methods that the samples use. */
const fields = [
  ...['jsonrpc', 'id', 'method', 'params', 'result', 'error', 'code', 'message'],
  ...['pageId', 'version', 'session', 'handles', 'isHandled', 'isVisible', 'visibility'],
]

describe.each(Object.entries(samples))('the sample in %s', (language, [protocol, application]) => {
  test('uses the names and numbers of the contract', () => {
    const source = read(protocol!)
    const words = [...source.matchAll(/(["'])([a-z]+[A-Za-z]*)\1/g)].map(([, , word]) => word!)
    const known: string[] = [...calls, ...pageCalls, ...fields]
    expect([...new Set(words)].filter((word) => !known.includes(word))).toEqual([])
    for (const name of [...calls, ...pageCalls]) expect(words).toContain(name)
    expect(source).toMatch(new RegExp(`version = ${embedVersion}\\b`))
    for (const code of [embedErrors.methodNotFound, embedErrors.refused])
      expect(source).toMatch(new RegExp(`\\D${code}\\b`))
  })

  test('handles methods of the contract', () => {
    const source = read(application!)
    const list = /handlers[:=\s]*(?:mapOf)?[([{](.*?)[)\]}],/s.exec(source)![1]!
    const names = [...new Set(list.match(/\b[a-z]\w+/g))].filter((word) => word !== 'to')
    expect(names.sort()).toEqual(['askConsent', 'callHostFunction', 'openUrl', 'share', 'shareMiniApp'])
    for (const name of names) expect(embedHandlers).toContain(name)
    expect(source).toMatch(/["']close["']/)
    // React Native has its own channel.
    if (language !== 'TypeScript') expect(source).toMatch(new RegExp(`["']${embedChannel}["']`))
    expect(source).toContain('host/embed/')
  })
})

const jsonrpc = '2.0'
const pageId = 'page-1'
const message = expect.any(String)
/** Messages from the page, and what the application sends for each. */
const conversation: [sent: string, received: object][] = [
  [
    call(1, 'initialize', { version: 1, appid: 'mabcdefgh123456' }),
    { jsonrpc, id: 1, result: { version: 1, session: 'token', handles: expect.arrayContaining(['share', 'openUrl']) } },
  ],
  [call(2, 'initialize', { version: 2 }), { jsonrpc, id: 2, error: { code: expect.any(Number), message } }],
  [call(3, 'getSession', {}), { jsonrpc, id: 3, result: { session: 'token' } }],
  [call(4, 'share', { title: 'Coffee', text: '', url: '' }), { jsonrpc, id: 4, result: {} }],
  [
    call(10, 'shareMiniApp', { appid: '', title: 'Coffee', path: '', imageUrl: '', extraData: '' }),
    { jsonrpc, id: 10, result: {} },
  ],
  [call(5, 'openUrl', { url: 'javascript:' }), { jsonrpc, id: 5, error: { code: embedErrors.refused, message } }],
  [call(6, 'askConsent', { appid: '', name: '', scopes: [] }), { jsonrpc, id: 6, result: { isAllowed: true } }],
  [call(7, 'scanCode', {}), { jsonrpc, id: 7, error: { code: embedErrors.methodNotFound, message } }],
  [
    JSON.stringify({ jsonrpc, pageId, method: 'ready', params: { name: 'Coffee' } }),
    { notified: 'ready', params: { name: 'Coffee' } },
  ],
  ['back', { jsonrpc, id: 1, method: 'back', params: {} }],
  [JSON.stringify({ jsonrpc, pageId, id: 1, result: { isHandled: true } }), { back: true }],
]

function call(id: number, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', pageId, id, method, params })
}

function expectConversation(lines: string[]): void {
  const received: { id?: number; result?: unknown }[] = lines.map((line) => JSON.parse(line))
  expect(received).toHaveLength(conversation.length)
  // Answers may overtake each other.
  for (const [, expected] of conversation) expect(received).toContainEqual(expected)
  const { result } = received.find(({ id, result }) => id === 1 && result)!
  expect(embedResults.initialize(result, '')).toEqual(result)
}

test('the sample in TypeScript answers as the contract says', async () => {
  const lines: string[] = []
  const protocol = createProtocol({
    getSession: async () => 'token',
    handlers: {
      share: () => ({}),
      shareMiniApp: () => ({}),
      openUrl: () => {
        throw new Refusal('This address cannot be opened.')
      },
      askConsent: async () => ({ isAllowed: true }),
    },
    onNotification: (notified, params) => lines.push(JSON.stringify({ notified, params })),
    send: (text) => lines.push(text),
  })
  // The frame of a mini app sends these before the page does.
  for (const text of ['not JSON', 'null', call(9, 'getSession', {}).replace(/"pageId":"[^"]*",/, '')]) {
    protocol.receive(text)
  }
  const ended = []
  for (const [sent] of conversation) {
    if (sent === 'back') ended.push(protocol.back().then((back) => lines.push(JSON.stringify({ back }))))
    else protocol.receive(sent)
    protocol.receive(call(8, 'share', {}).replace(pageId, 'frame'))
  }
  await Promise.all(ended)
  await expect.poll(() => lines.length).toBe(conversation.length)
  expectConversation(lines)
})

/** Packages with the types that App.tsx imports, without what they need to run: React Native has 500 dependencies. */
const reactNative = {
  'react-native': 'react-native@0.76.9',
  'react-native-webview': 'react-native-webview@13.12.5',
  '@react-native/virtualized-lists': '@react-native/virtualized-lists@0.76.9',
  '@types/react': '@types/react@18.3.12',
  '@types/prop-types': '@types/prop-types@15.7.15',
  csstype: 'csstype@3.2.4',
}

test('the application in TypeScript compiles against React Native', { timeout: 300_000 }, async ({
  onTestFinished,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'souk-react-native-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(join(here, 'embed-react-native'), folder, { recursive: true })
  const { dependencies } = JSON.parse(read('embed-react-native/package.json'))
  for (const name of ['react-native', 'react-native-webview'] as const) {
    expect(`${name}@${dependencies[name]}`).toBe(reactNative[name])
  }
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
  await run('npm', ['pack', '--silent', ...Object.values(reactNative)], { cwd: folder, env })
  for (const [name, version] of Object.entries(reactNative)) {
    const target = join(folder, 'node_modules', name)
    await mkdir(target, { recursive: true })
    const tarball = `${version.replace(/^@/, '').replace(/[/@]/g, '-')}.tgz`
    await run('tar', ['--extract', '--strip-components=1', '--directory', target, '--file', tarball], { cwd: folder })
  }
  const config = { extends: './tsconfig.json', include: ['*.ts', '*.tsx'] }
  await writeFile(join(folder, 'tsconfig.app.json'), JSON.stringify(config))
  await run(join(here, '../node_modules/.bin/tsc'), ['-p', join(folder, 'tsconfig.app.json')], { cwd: folder })
})

const json = '/usr/share/java/com.android.json.jar'
const hasKotlin = existsSync('/usr/bin/kotlinc') && existsSync(json)

const compileKotlin = (...args: string[]) =>
  run('kotlinc', args, { cwd: here, env: { ...process.env, ...shortJvmEnv } })

// Requires the packages kotlin and libandroid-json-java of Debian.
test.skipIf(!hasKotlin)(
  'the sample in Kotlin compiles and answers as the contract says',
  async ({ onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'souk-kotlin-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const sources = [`${android}/EmbedProtocol.kt`, `${android}/Sandbox.kt`, 'embed-android/test/Main.kt']
    await compileKotlin(...sources, '-cp', json, '-d', folder)
    const classes = [folder, json, '/usr/share/java/kotlin-stdlib.jar'].join(':')
    const program = run('java', ['-cp', classes, 'example.souk.MainKt'])
    program.child.stdin!.end(conversation.map(([sent]) => `${sent}\n`).join(''))
    expectConversation((await program).stdout.trim().split('\n'))
  },
)

// Debian has no android.jar, and nothing of AndroidX.
test.skipIf(!hasKotlin)(
  'the application in Kotlin compiles against declarations of Android',
  { timeout: 120_000 },
  async ({ onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'souk-android-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const files = Object.keys(androidStubs).map((name) => join(folder, `${name.replaceAll('.', '/')}.java`))
    for (const [index, [name, declaration]] of Object.entries(androidStubs).entries()) {
      await mkdir(dirname(files[index]!), { recursive: true })
      await writeFile(files[index]!, `package ${name.slice(0, name.lastIndexOf('.'))};\n${declaration}\n`)
    }
    await run('javac', ['-d', join(folder, 'classes'), ...files])
    const sources = ['EmbedProtocol', 'Sandbox', 'MainActivity'].map((name) => `${android}/${name}.kt`)
    const classPath = [json, join(folder, 'classes')].join(':')
    await compileKotlin(...sources, '-cp', classPath, '-d', join(folder, 'out'))
    expect(existsSync(join(folder, 'out/example/souk/MainActivity.class'))).toBe(true)
  },
)
