import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { codes } from '@souk/pages'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runIn } from '../../test/command.ts'
import type { Environment } from '../environment.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-pages-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function put(path: string, content = '') {
  await mkdir(join(folder, path, '..'), { recursive: true })
  await writeFile(join(folder, path), content)
}

const souk = (args: string[], given?: Partial<Environment>) => runIn(folder, ['pages', ...args], given)

const broken = `{
  // 咖啡
  "globalStyle": { "navigationBarTextStyle": "whit" },
  "pages": [
    { "path": "pages/a/a", "style": { "navigationBarTitleText": "咖啡", "enablePullDownRefresh": "true" } }
    { "path": "pages/b/b" },
  ]
}
`
const fixed = broken.replace('"whit"', '"white"').replace('"true" } }', 'true } },')

const good = `{
  "globalStyle": { "navigationBarTextStyle": "black", "navigationBarBackgroundColor": "#FFFFFF" },
  "pages": [
    { "path": "pages/a/a", "style": { "navigationBarTitleText": "A" } },
    { "path": "pages/b/b" }
  ],
  "tabBar": {
    "color": "#000000", "selectedColor": "#000001", "backgroundColor": "#FFFFFF",
    "list": [{ "pagePath": "pages/a/a", "text": "A" }, { "pagePath": "pages/b/b", "text": "B" }]
  }
}
`

async function project(text: string) {
  await put('pages.json', text)
  await put('pages/a/a.vue')
  await put('pages/b/b.vue')
}

const target = 'The build is for App (default).\n'

describe('souk pages check', () => {
  test('prints the line, markers at the exact range, the allowed values, and the fix', async () => {
    await project(broken)
    const { status, out, err } = await souk(['check'])
    expect(err).toBe('')
    expect(status).toBe(1)
    expect(
      out,
    ).toBe(`warning[value-unknown]: "whit" is not a valid value of "navigationBarTextStyle", which takes "black" or "white" (pages-json §2.3). Did you mean "white"?
 --> pages.json:3:46
  |
3 |   "globalStyle": { "navigationBarTextStyle": "whit" },
  |                                              ^^^^^^
  = fix: Write "white"

error[type-wrong]: ${/error\[type-wrong\]: (.*)/.exec(out)![1]}
 --> pages.json:5:96
  |
5 |     { "path": "pages/a/a", "style": { "navigationBarTitleText": "咖啡", "enablePullDownRefresh": "true" } }
  |                                                                                                  ^^^^^^
  = fix: Write true

error[syntax-comma-missing]: Missing comma between two items.
 --> pages.json:5:106
  |
5 |     { "path": "pages/a/a", "style": { "navigationBarTitleText": "咖啡", "enablePullDownRefresh": "true" } }
  |                                                                                                            ^
  = fix: Insert the comma

pages.json: 2 errors, 1 warning. 3 fixable with souk pages check --fix. No error blocks a release.
The build is for App (default).
`)
  })

  test('aligns markers after emoji and Arabic, while columns count code units', async () => {
    await project(
      '{"globalStyle": {"navigationBarTitleText": "😀 مرحبا", "navigationStyle": "x"}, "pages": [{"path": "pages/a/a"}]}',
    )
    const { out } = await souk(['check'])
    const [place, , source, marks] = out.split('\n').slice(1)
    expect(place).toBe(' --> pages.json:1:75')
    // The emoji takes two columns, as it has two code units.
    expect(marks!.indexOf('^')).toBe(source!.indexOf('"x"'))
  })

  test('uses colors only on a terminal', async () => {
    await project(broken)
    const plainly = await souk(['check'])
    const colored = await souk(['check'], { colors: true })
    expect(colored.out).not.toBe(plainly.out)
    expect(stripVTControlCharacters(colored.out)).toBe(plainly.out)
  })

  test('reports what the build for the chosen platform drops', async () => {
    await project(`{
  "pages": [
    { "path": "pages/a/a" },
    // #ifdef APP-PLUS
    { "path": "pages/b/b" }
    // #endif
  ]
}`)
    expect((await souk(['check'])).out).not.toContain('conditional-dropped')
    const { status, out } = await souk(['check', '--platform', 'h5'])
    expect(status).toBe(0)
    expect(out).toMatch(
      /warning\[conditional-dropped\]: The block of #ifdef APP-PLUS .*kept by App only\.\n --> pages\.json:4:5/,
    )
    expect(out).toContain('The build is for H5 (--platform).')
  })

  test('exits with 0 for warnings only and without diagnostics', async () => {
    await project(good)
    expect(await souk(['check', '.'])).toEqual({
      status: 0,
      out: `ok pages.json: nothing to report.\n${target}`,
      err: '',
    })
    await project(good.replace('"black"', '"red"'))
    expect((await souk(['check', 'pages.json'])).status).toBe(0)
    await rm(join(folder, 'pages/b/b.vue'))
    expect((await souk(['check'])).out).toContain('error[page-file-missing]: The page "pages/b/b" has no file')
  })

  test('--json prints 1-based lines and columns, and edits that fix their diagnostic', async () => {
    await put('app/pages.json', '\uFEFF{"pages": [{"path": "pages/a/a"}], "x": \r\n1 2}')
    const { status, out } = await souk(['check', 'app', '--json'])
    const found = JSON.parse(out)
    expect(status).toBe(1)
    expect(found[0]).toEqual({
      file: 'app/pages.json',
      line: 1,
      column: 21,
      endLine: 1,
      endColumn: 32,
      severity: 'error',
      blocks: true,
      code: 'page-file-missing',
      message: expect.stringContaining('"pages/a/a" has no file'),
      platforms: ['H5', 'App', 'Mini App'],
    })
    await project(broken)
    const again = JSON.parse((await souk(['check', '--json'])).out)
    expect(again[0].fix).toEqual({
      title: 'Write "white"',
      edits: [{ line: 3, column: 46, endLine: 3, endColumn: 52, text: '"white"' }],
    })
    expect(JSON.parse((await souk(['check', '--json'], { colors: true })).out)).toEqual(again)
    await project(good)
    expect((await souk(['check', '--json'])).out).toBe('[]\n')
  })

  test('--fix applies available fixes, keeps the rest of the file, and prints the remaining diagnostics', async () => {
    await project(`\uFEFF${broken}`.replaceAll('\n', '\r\n'))
    const { status, out, err } = await souk(['check', '--fix'])
    expect({ status, out, err }).toEqual({
      status: 0,
      out: `ok pages.json: nothing to report.\n${target}`,
      err: 'Fixed 3 in pages.json.\n',
    })
    expect(await readFile(join(folder, 'pages.json'), 'utf8')).toBe(`\uFEFF${fixed}`.replaceAll('\n', '\r\n'))
    expect((await souk(['check', '--fix'])).err).toBe('')
  })

  test('--fix does not guess which page a tab opens', async () => {
    const wrong = good.replace('"pagePath": "pages/b/b"', '"pagePath": "pages/c/b"')
    await project(wrong)
    const { status, out } = await souk(['check', '--fix'])
    expect(status).toBe(1)
    expect(out).toContain('= suggestion: Write "pages/b/b"')
    expect(await readFile(join(folder, 'pages.json'), 'utf8')).toBe(wrong)
  })

  test('--target warns about newer attributes', async () => {
    await project(good.replace('"list"', '"height": "60px", "list"'))
    expect((await souk(['check', '--target', 'App=2.3.0'])).out).toContain('warning[key-too-new]')
    expect((await souk(['check', '--target', 'app=2.3.4'])).out).toContain('nothing to report')
  })

  test('--format github prints escaped workflow commands with paths from the repository root', async () => {
    await put('app/pages.json', '{"pages": [{"path": "pages/100%/a:b,c"}]}')
    const { status, out } = await souk(['check', '--format', 'github', 'app'], { folder: join(folder, 'app') })
    expect(status).toBe(1)
    expect(out).toBe(
      '::error file=app/pages.json,line=1,endLine=1,col=21,endColumn=39,title=souk page-file-missing::' +
        'The page "pages/100%25/a:b,c" has no file: there is no .vue, .nvue, or .uvue file at this path. Create it, or correct the path.\n',
    )
  })

  test('--format github and sarif name the platforms if not all are concerned', async () => {
    await project(good.replace(', "text": "B"', ''))
    expect((await souk(['check', '--format', 'github'])).out).toMatch(/"text" is missing: .* \(Mini App\)\n$/)
    const log = JSON.parse((await souk(['check', '--format', 'sarif'])).out)
    expect(log.runs[0].results[0].message.text).toMatch(/ \(Mini App\)$/)
  })

  test('--format sarif prints a log in which every result has a rule and a location', async () => {
    await project(broken)
    const { status, out } = await souk(['check', '--format', 'sarif'])
    const log = JSON.parse(out)
    expect(status).toBe(1)
    expect(Object.keys(log)).toEqual(['$schema', 'version', 'runs'])
    expect(log.version).toBe('2.1.0')
    const [{ tool, results, columnKind }] = log.runs
    expect(columnKind).toBe('utf16CodeUnits')
    expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(Object.keys(codes))
    expect(results).toHaveLength(3)
    for (const { ruleId, ruleIndex, level, message, locations, fixes } of results) {
      expect(tool.driver.rules[ruleIndex].id).toBe(ruleId)
      expect(['error', 'warning', 'note']).toContain(level)
      expect(message.text).not.toBe('')
      const { artifactLocation, region } = locations[0].physicalLocation
      expect(artifactLocation).toEqual({ uri: 'pages.json' })
      for (const { deletedRegion } of fixes[0].artifactChanges[0].replacements) {
        for (const place of [region, deletedRegion]) {
          expect(Object.keys(place)).toEqual(['startLine', 'startColumn', 'endLine', 'endColumn'])
          expect(Math.min(...Object.values<number>(place))).toBeGreaterThan(0)
        }
      }
    }
  })

  test('exits with 2 if it cannot run', async () => {
    await put('empty/readme.md')
    await put('latin/pages.json', '')
    await writeFile(join(folder, 'latin/pages.json'), Uint8Array.of(0x7b, 0xe9))
    await put('generated/pages.config.ts')
    for (const [path, why] of [
      ['nowhere', 'no such file or directory'],
      ['empty', 'There is no pages.json'],
      ['generated', 'writes it from pages.config.ts'],
      ['generated', 'Install it (npm install -D @uni-helper/vite-plugin-uni-pages)'],
      ['latin', 'it is not UTF-8'],
    ]) {
      const { status, err } = await souk(['check', path!])
      expect([status, err]).toEqual([2, expect.stringContaining(why!)])
    }
    for (const args of [
      ['--format', 'xml'],
      ['--target', 'App'],
      ['--target', 'TV=1'],
      ['--json', '--format', 'sarif'],
      ['a', 'b'],
    ]) {
      expect((await souk(['check', ...args])).status).toBe(2)
    }
  })

  test('keeps long lines and unusual characters readable', async () => {
    await put('pages.json', `{"pages":[${'{"path":"pages/a/a"},'.repeat(400)}"\\u0007\t"]}\u001b[2J`)
    const { status, out } = await souk(['check'])
    expect(status).toBe(1)
    expect(out).not.toContain('\u001b')
    expect(out).not.toContain('\t')
    for (const line of out.split('\n')) if (/^\d+ \|/.test(line)) expect(line.length).toBeLessThan(130)
  })
})

describe('souk pages resolve', () => {
  test('--json has the style of every page with the origin of every value', async () => {
    await project(good)
    const { status, out, err } = await souk(['resolve', '.', '--platform', 'Mini App', '--json'])
    expect([status, err]).toEqual([0, ''])
    const resolved = JSON.parse(out)
    expect(Object.keys(resolved)).toEqual([
      'platform',
      'globalStyle',
      'pages',
      'tabBar',
      'easycom',
      'condition',
      'windows',
    ])
    expect(resolved.platform).toBe('Mini App')
    const [page] = resolved.pages
    expect(Object.keys(page)).toEqual(['path', 'style', 'provenance'])
    expect(page.style).toMatchObject({
      navigationBarTitleText: 'A',
      navigationBarTextStyle: 'black',
      onReachBottomDistance: 50,
    })
    expect(page.provenance.navigationBarTitleText).toMatchObject({ from: 'page', line: 4 })
    expect(page.provenance.navigationBarTextStyle).toMatchObject({ from: 'globalStyle', line: 2 })
    expect(page.provenance.onReachBottomDistance).toMatchObject({ from: 'default' })
  })

  test('prints the values set in the file', async () => {
    await project(good)
    const { out } = await souk(['resolve', '--platform', 'h5'])
    expect(out).toContain(`H5: 2 pages, 2 tabs

pages/a/a line 4, a tab
  ATTRIBUTE                     VALUE      FROM
  navigationBarBackgroundColor  "#FFFFFF"  globalStyle, line 2
  navigationBarTextStyle        "black"    globalStyle, line 2
  navigationBarTitleText        "A"        page, line 4
  and `)
  })

  test('resolves an invalid file as far as possible, with a note', async () => {
    await project(broken)
    const { status, out, err } = await souk(['resolve', '--platform', 'H5', '--json'])
    expect(status).toBe(0)
    expect(JSON.parse(out).pages).toHaveLength(2)
    expect(err).toContain('note: pages.json has 2 errors: souk pages check')
  })

  test('requires one of three platforms', async () => {
    expect((await souk(['resolve'])).err).toContain("required option '--platform <platform>' not specified")
    expect(await souk(['resolve', '--platform', 'TV'])).toMatchObject({
      status: 2,
      err: expect.stringContaining('Use one of H5, App, Mini App.'),
    })
  })
})

describe('--theme and --language', () => {
  const style = '{"navigationBarBackgroundColor": "@bar", "navigationBarTitleText": "%title%!"}'
  const explained = async (...options: string[]) => {
    const bar = await souk([
      'explain',
      '.',
      'pages/a/a',
      'navigationBarBackgroundColor',
      '--platform',
      'H5',
      ...options,
    ])
    const title = await souk(['resolve', '--platform', 'H5', '--json', ...options])
    return [/#[0-9A-F]{6}/.exec(bar.out)?.[0], JSON.parse(title.out).pages[0].style.navigationBarTitleText]
  }

  test('show the values of that theme and language, as manifest.json of uni-app decides', async () => {
    await put('pages/a/a.vue')
    await put('pages.json', `{"pages": [{"path": "pages/a/a", "style": ${style}}]}`)
    await put('theme.json', '{"light": {"bar": "#EEEEEE"}, "dark": {"bar": "#111111"}}')
    await put('locale/en.json', '{"title": "Home"}')
    await put('locale/zh-Hans.json', '{"title": "首页"}')
    expect(await explained()).toEqual(['#EEEEEE', 'Home!'])
    expect(await explained('--theme', 'dark', '--language', 'zh-CN')).toEqual(['#111111', '首页!'])
    await put('manifest.json', '{"fallbackLocale": "zh-Hans", "h5": {"darkmode": false}}')
    expect(await explained('--theme', 'dark')).toEqual(['#EEEEEE', '首页!'])
    expect(await explained('--theme', 'dark', '--language', 'en')).toEqual(['#EEEEEE', 'Home!'])
  })

  test('refuse other themes, and are in the help', async () => {
    await put('pages.json', good)
    const { status, err } = await souk(['resolve', '--platform', 'H5', '--theme', 'blue'])
    expect([status, err]).toEqual([2, expect.stringContaining('Allowed choices are light, dark')])
    const { out } = await souk(['explain', '--help'])
    expect(out).toMatch(/--theme <theme>.*light.*dark/s)
    expect(out).toContain('--language <tag>')
  })
})

describe('souk pages explain', () => {
  test('prints the value, the reason, and all places that set it', async () => {
    await project(good)
    const { status, out } = await souk(['explain', '.', 'pages/a/a', 'navigationBarTextStyle', '--platform', 'App'])
    expect(status).toBe(0)
    expect(out).toContain('App: navigationBarTextStyle of pages/a/a is "black"')
    expect(out).toContain('Not set on the page; inherited from globalStyle, line 2.')
    expect(out).toContain('pages.json:2:46')
    const args = ['explain', '.', 'pages/a/a', 'navigationBarTextStyle', '--json']
    expect(JSON.parse((await souk([...args, '--platform', 'H5'])).out)).toMatchObject({
      platform: 'H5',
      value: 'black',
    })
    expect(JSON.parse((await souk(args)).out).map((it: { platform: string }) => it.platform)).toEqual([
      'H5',
      'App',
      'Mini App',
    ])
  })

  test('refuses unknown pages and attributes with suggestions', async () => {
    await project(good)
    for (const [page, attribute, meant] of [
      ['pages/a/x', 'navigationStyle', 'did you mean "pages/a/a"?'],
      ['pages/a/a', 'navigationStile', 'did you mean "navigationStyle"?'],
    ]) {
      const { status, err } = await souk(['explain', '.', page!, attribute!])
      expect([status, err]).toEqual([1, expect.stringContaining(meant!)])
    }
  })
})

test('souk pages schema prints a JSON Schema, souk pages types the routes', async () => {
  await project(good)
  expect(JSON.parse((await souk(['schema'])).out)).toMatchObject({ title: 'pages.json', required: ['pages'] })
  expect((await souk(['types'])).out).toContain('export type TabPath =\n  | "/pages/a/a"\n  | "/pages/b/b"')
  expect(JSON.parse((await souk(['types', '--json'])).out)[0]).toMatchObject({
    path: 'pages/a/a',
    tabOn: ['H5', 'App', 'Mini App'],
  })
})
