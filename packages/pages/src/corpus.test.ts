import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Corpus, corpora, largeFile, samples, thirdParty } from '../test/corpus.ts'
import { check } from './check/check.ts'
import { readPages } from './config.ts'
import { type Platform, platforms } from './diagnostic.ts'
import { resolve } from './resolve/resolve.ts'

const judge = ({ files }: Pick<Corpus, 'files'>) =>
  files.map(({ name, text }) => {
    const config = readPages(text)
    return { name: name.replace(/\.json$/, ''), config, found: check(config) }
  })

/** Lists syntax errors by file, each with its line. */
const syntaxErrors = (judged: ReturnType<typeof judge>) =>
  judged.flatMap(({ name, config, found }) => {
    const errors = found
      .filter(({ code }) => code.startsWith('syntax-'))
      .map(({ code, offset }) => `${code}:${config.lines.positionAt(offset).line}`)
    return errors.length > 0 ? [[name, ...errors]] : []
  })

/** Codes of all other errors, by file. */
const otherErrors = (judged: ReturnType<typeof judge>) =>
  judged.flatMap(({ name, found }) => {
    const errors = found.filter(({ code, severity }) => severity === 'error' && !code.startsWith('syntax-'))
    const codes = [...new Set(errors.map(({ code }) => code))].sort()
    return codes.length > 0 ? [`${name}: ${codes.join(' ')}`] : []
  })

const countPages = (text: string, platform: Platform) => resolve(readPages(text), { platform }).pages.length

for (const { name, files } of corpora) {
  it(`reads and resolves each of the ${name} despite its defects`, () => {
    for (const { text } of files) {
      const config = readPages(text)
      for (const platform of platforms) {
        for (const page of resolve(config, { platform }).pages) expect(page.style.navigationStyle).toBeTypeOf('string')
      }
    }
  })
}

describe('the sample files', () => {
  const judged = judge(samples)

  it('are listed in their README with their errors and warnings', () => {
    const readme = readFileSync(join(samples.folder, 'README.md'), 'utf8')
    const rows = [...readme.matchAll(/^\| \[([\w-]+)\]\(\1\.json\) \| (?:\\\||[^|])+ \|(.*)\|$/gm)]
    const listed = rows.map(([, name, codes]) => [name!, codes!.trim()] as const)
    const reported = judged.map(({ name, found }) => {
      const faults = found.filter(({ severity }) => severity === 'error' || severity === 'warning')
      return [name, [...new Set(faults.map(({ code }) => `\`${code}\``))].join(' ')] as const
    })
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(reported))
    expect(listed).toHaveLength(60)
  })

  it('have the number of pages that a person counts on each platform', () => {
    const pages = (name: string) => {
      const { text } = samples.files.find((file) => file.name === `${name}.json`)!
      return platforms.map((platform) => countPages(text, platform))
    }
    // In the order of `platforms`: H5, App, Mini App.
    expect(pages('city-council')).toEqual([36, 36, 36])
    expect(pages('car-wash')).toEqual([4, 4, 3])
    expect(pages('bus-tickets')).toEqual([7, 6, 6])
    expect(pages('warehouse')).toEqual([4, 4, 4])
    // One of the eight pages in conditional comments is for iOS only, one for Android only.
    expect(pages('pet-hotel')).toEqual([4, 7, 5])
  })

  it('have syntax errors on exactly these lines', () => {
    expect(syntaxErrors(judged)).toMatchInlineSnapshot(`
      [
        [
          "bakery",
          "syntax-comma-missing:7",
          "syntax-comma-missing:10",
        ],
        [
          "bike-rental",
          "syntax-after-end:12",
        ],
        [
          "carpool",
          "syntax-character:5",
          "syntax-character:9",
          "syntax-quotes:11",
          "syntax-comma-missing:11",
          "syntax-comma-missing:11",
        ],
        [
          "choir",
          "syntax-quotes:2",
          "syntax-quotes:3",
          "syntax-quotes:3",
          "syntax-string-open:4",
          "syntax-colon-missing:5",
          "syntax-escape:5",
          "syntax-number:5",
          "syntax-value-missing:6",
          "syntax-quotes:6",
          "syntax-comment-form:7",
          "syntax-quotes:8",
          "syntax-character:10",
          "syntax-quotes:10",
          "syntax-value-missing:10",
          "syntax-comma-missing:10",
          "syntax-comma-extra:13",
          "syntax-comment-open:18",
        ],
        [
          "courier",
          "syntax-bracket-extra:17",
          "syntax-bracket-open:27",
          "syntax-bracket-open:27",
        ],
      ]
    `)
  })

  it('have exactly these other errors', () => {
    expect(otherErrors(judged)).toMatchInlineSnapshot(`
      [
        "auction: icon-escape tab-icon-form tab-icon-network",
        "barber: tab-count",
        "carpool: type-wrong",
        "cinema: easycom-pattern",
        "estate-agent: page-duplicate page-path",
        "food-court: tab-page-unknown",
        "hotline: conditional-expression conditional-unbalanced",
        "parking: type-wrong value-range",
        "quiz-night: key-required",
        "sports-club: tab-count",
        "travel-diary: sub-window-id",
      ]
    `)
  })

  it('report the same number of findings of each code', () => {
    const counts: Record<string, number> = {}
    for (const { code } of judged.flatMap(({ found }) => found)) counts[code] = (counts[code] ?? 0) + 1
    expect(Object.fromEntries(Object.entries(counts).sort())).toMatchInlineSnapshot(`
      {
        "badge-long": 1,
        "bar-contrast": 2,
        "bar-hidden": 1,
        "bar-title-image": 1,
        "color-form": 8,
        "color-short": 2,
        "condition-current": 1,
        "condition-page-unknown": 1,
        "conditional-expression": 1,
        "conditional-name": 1,
        "conditional-unbalanced": 2,
        "conditional-unknown": 1,
        "easycom-direct": 1,
        "easycom-group": 1,
        "easycom-pattern": 1,
        "easycom-target": 1,
        "font-network": 1,
        "icon-escape": 4,
        "image-network": 1,
        "key-duplicate": 2,
        "key-ecosystem": 41,
        "key-misplaced": 4,
        "key-no-effect": 10,
        "key-platform": 1,
        "key-required": 7,
        "key-unknown": 7,
        "mid-button-odd": 1,
        "mid-button-page": 1,
        "page-duplicate": 2,
        "page-path": 2,
        "page-path-form": 5,
        "refresh-precedence": 1,
        "size-form": 3,
        "sub-window-id": 1,
        "sub-window-incomplete": 2,
        "sub-window-path": 1,
        "syntax-after-end": 1,
        "syntax-bracket-extra": 1,
        "syntax-bracket-open": 2,
        "syntax-character": 3,
        "syntax-colon-missing": 1,
        "syntax-comma-extra": 1,
        "syntax-comma-missing": 5,
        "syntax-comment-form": 1,
        "syntax-comment-open": 1,
        "syntax-escape": 1,
        "syntax-number": 1,
        "syntax-quotes": 7,
        "syntax-string-open": 1,
        "syntax-value-missing": 2,
        "tab-count": 2,
        "tab-icon-font": 1,
        "tab-icon-form": 3,
        "tab-icon-network": 1,
        "tab-page-duplicate": 1,
        "tab-page-unknown": 2,
        "type-wrong": 11,
        "value-locale": 7,
        "value-range": 1,
        "value-theme": 12,
        "value-undocumented": 2,
        "value-unknown": 4,
        "window-absent": 1,
        "window-incomplete": 1,
      }
    `)
  })
})

it('a file of 100 KB has no errors or warnings, and all of its pages', () => {
  const text = largeFile()
  expect(Buffer.byteLength(text)).toBeGreaterThan(100_000)
  const faults = check(readPages(text)).filter(({ severity }) => severity === 'error' || severity === 'warning')
  expect(faults).toEqual([])
  expect(platforms.map((platform) => countPages(text, platform))).toEqual([403, 403, 363])
})

if (thirdParty) {
  const judged = judge(thirdParty)
  describe('the third-party files', () => {
    it('are more than 200', () => {
      expect(judged.length).toBeGreaterThan(200)
    })

    it('have syntax errors only where a person finds one', () => {
      expect(syntaxErrors(judged)).toMatchInlineSnapshot(`
        [
          [
            "SuperHanMr__dbj-uniapp__src__pages@1be2e00a",
            "syntax-after-end:280",
          ],
          [
            "SuperHanMr__dbj-uniapp__src__pages@dff3610b",
            "syntax-comma-missing:415",
          ],
          [
            "duguangyan__wholesale-uni-app__pages@d0066fd0",
            "syntax-character:464",
          ],
          [
            "ijry__lyshop__app__pages@8eb9858a",
            "syntax-bracket-extra:67",
            "syntax-bracket-open:74",
            "syntax-bracket-missing:79",
          ],
        ]
      `)
    })

    it('have the other errors that a person agrees with, and no more', () => {
      expect(otherErrors(judged)).toMatchInlineSnapshot(`
        [
          "0jinyingjie0__CWEduAPP__pages: page-duplicate",
          "1105931818__Vue2-uniapp-shopping-mall__pages: key-required",
          "1120118968__uniapp__pages@75412a39: page-duplicate",
          "113858970__uniappRead__pages: key-required",
          "China-quanda__news-uniapp__pages@d7cba72e: key-required",
          "GRCmade__uniapp-bugs__singlePage__uniapp-harmony__pages@237950f2: key-required",
          "GRCmade__uniapp-bugs__singlePage__uniapp-harmony__pages@4f63aaff: key-required",
          "GRCmade__uniapp-bugs__singlePage__uniapp-harmony__pages@a219ab47: key-required",
          "GRCmade__uniapp-bugs__vue3__src__pages@3e6c7f9a: tab-count tab-page-unknown",
          "Jiang-Xia__gin-zone__client__pages: key-required",
          "Jiang-Xia__gin-zone__client__pages@29632659: key-required",
          "Jiang-Xia__gin-zone__client__pages@b0193722: key-required",
          "MemFire-Cloud__uni-app-template__pages: key-required",
          "Yaxun-Yang__NekoTalk__app__pages: key-required",
          "anyup__uView-Pro__src__pages: key-required",
          "biejun__qianbao__pages: key-required",
          "biejun__qianbao__pages@c356cd42: key-required",
          "code-simplicity__uni-app-cloudmusic__src__pages: type-wrong",
          "dadage456__wms_uniapp__pages: page-duplicate",
          "dcloudio__share-fission-client__pages: key-required type-wrong",
          "dcloudio__uni-app__examples__uniapp-one__pages@972b73a9: key-required",
          "dingyong0214__ThorUI-uniapp__pages: type-wrong",
          "ezshine__uniapp-unicloud-dnms__dnms__pages: key-required",
          "gongzhaoxi__php_uniapp_zzyl__uniapp__pages: key-required",
          "goods000__uni-app__ECD生态__pages: page-duplicate",
          "goods000__uni-app__FIC_app__pages: page-duplicate",
          "goods000__uni-app__ICH__pages: page-duplicate",
          "goods000__uni-app__h5__pages: page-duplicate",
          "goods000__uni-app__云数贸__pages: page-duplicate",
          "guyue88__speedy-im__client__pages: sub-window-id",
          "hester2__jsb-uni-app__pages: page-duplicate",
          "hilanmiao__smart-miao__app__pages: key-required",
          "ijry__lyshop__app__pages@8eb9858a: key-required",
          "minstart__ic365__pages: type-wrong",
          "shampoo6__WaiMaiApp__client__pages: key-required",
          "wmhello__laravel_template_with_vue__uni-app__pages: key-required",
          "yinchengnuo__templateWxappUniapp__pages: key-required",
          "youjunhui-sky__uni-app-uview__uni_frontend__pages: key-required type-wrong",
          "yudaocode__yudao-mall-uniapp__pages: key-required",
          "zui4yi1__Styleless-UI-for-uniapp__src__examples__index__pages: type-wrong",
        ]
      `)
    })
  })
}
