import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { check } from './check/check.ts'
import { readPages } from './config.ts'
import { resolve } from './resolve/resolve.ts'

// Real files of other projects, which stay where they are: nothing of them is part of this one.
const corpus = new URL('../../../../shared/corpus/', import.meta.url)
const names = existsSync(corpus)
  ? readdirSync(corpus)
      .filter((name) => name.endsWith('.json'))
      .sort()
  : []

describe.runIf(names.length > 0)('real files', () => {
  const all = names.map((name) => {
    const config = readPages(readFileSync(new URL(encodeURIComponent(name).replaceAll('%2F', '/'), corpus), 'utf8'))
    const errors = check(config).filter(({ severity }) => severity === 'error')
    return { name, config, errors }
  })

  it('are read and resolved whatever their defects', () => {
    expect(all.length).toBeGreaterThan(200)
    for (const { config } of all) {
      for (const platform of ['H5', 'App', 'Mini App'] as const) {
        for (const page of resolve(config, { platform }).pages) expect(page.style.navigationStyle).toBeTypeOf('string')
      }
    }
  })

  it('have faults of form only where a person finds one', () => {
    const faulty = all.flatMap(({ name, config, errors }) => {
      const found = errors
        .filter(({ code }) => code.startsWith('syntax-'))
        .map(({ code, offset }) => `${code}:${config.lines.positionAt(offset).line}`)
      return found.length > 0 ? [[name.replace(/\.json$/, ''), ...found]] : []
    })
    expect(faulty).toMatchInlineSnapshot(`
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
          "syntax-comma-missing:79",
        ],
      ]
    `)
  })

  it('have the errors that a person agrees with, and no others', () => {
    const judged = all.flatMap(({ name, errors }) => {
      const found = [...new Set(errors.map(({ code }) => code).filter((code) => !code.startsWith('syntax-')))].sort()
      return found.length > 0 ? [`${name.replace(/\.json$/, '')}: ${found.join(' ')}`] : []
    })
    expect(judged).toMatchInlineSnapshot(`
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
        "goods000__uni-app__ECD生态__pages: page-duplicate type-wrong",
        "goods000__uni-app__FIC_app__pages: page-duplicate type-wrong",
        "goods000__uni-app__FPool__pages: type-wrong",
        "goods000__uni-app__ICH__pages: page-duplicate",
        "goods000__uni-app__OC_app__pages: type-wrong",
        "goods000__uni-app__h5__pages: page-duplicate",
        "goods000__uni-app__云数贸__pages: page-duplicate",
        "goods000__uni-app__星河矿池__pages: type-wrong",
        "goods000__uni-app__积分商城__pages: type-wrong",
        "goods000__uni-app__穿越牛熊__pages: type-wrong",
        "goods000__uni-app__软云存储_-_副本__pages: type-wrong",
        "goods000__uni-app__量化__pages: type-wrong",
        "guyue88__speedy-im__client__pages: sub-window-id",
        "hester2__jsb-uni-app__pages: page-duplicate",
        "hilanmiao__smart-miao__app__pages: key-required",
        "ijry__lyshop__app__pages@8eb9858a: key-required",
        "minstart__ic365__pages: type-wrong",
        "shampoo6__WaiMaiApp__client__pages: key-required",
        "skymun016__taokeuniapp__xm-mallv3-uni-master__pages: type-wrong",
        "wmhello__laravel_template_with_vue__uni-app__pages: key-required",
        "yinchengnuo__templateWxappUniapp__pages: key-required",
        "youjunhui-sky__uni-app-uview__uni_frontend__pages: key-required type-wrong",
        "yudaocode__yudao-mall-uniapp__pages: key-required",
        "zui4yi1__Styleless-UI-for-uniapp__src__examples__index__pages: type-wrong",
      ]
    `)
  })
})
