import { describe, expect, it } from 'vitest'
import { readPages } from '../config.ts'
import { type Diagnostic, platforms } from '../diagnostic.ts'
import { applyEdits } from '../edit.ts'
import type { Files } from '../files.ts'
import { type CheckOptions, check } from './check.ts'
import { type Code, codes } from './codes.ts'

const page = (style: string, path = '"pages/a/a"') => `{"pages": [{"path": ${path}, "style": ${style}}]}`
const bar = (titleNView: string) => page(`{"app-plus": {"titleNView": ${titleNView}}}`)
const subWindow = (window: string) => page(`{"app-plus": {"subNVues": [${window}]}}`)
const global = (style: string) => `{"globalStyle": ${style}, "pages": [{"path": "pages/a/a"}]}`
const tabs = (rest: string, count = 2) => {
  const names = [...'abcdef'].slice(0, count)
  const pages = [...'abcdef'].map((name) => `{"path": "pages/${name}/${name}"}`)
  const list = names.map((name) => `{"pagePath": "pages/${name}/${name}", "text": "${name}"}`)
  return `{"pages": [${pages}], "tabBar": {"color": "#000000", "selectedColor": "#111111", "backgroundColor": "#FFFFFF", "list": [${list}]${rest}}}`
}
const tab = (rest: string) => tabs('').replace('"text": "a"', `"text": "a", ${rest}`)
const more = (rest: string) => `{"pages": [{"path": "pages/a/a"}], ${rest}}`

const files = (...paths: string[]): Files => ({ exists: (path) => paths.includes(path), size: () => 50 * 1024 })
const withFiles = (...paths: string[]): CheckOptions => ({ files: files('pages/a/a.vue', ...paths) })

const withTabs = (...paths: string[]): CheckOptions =>
  withFiles(...[...'bcdef'].map((name) => `pages/${name}/${name}.vue`), ...paths)

/** Code, file (the span between « and »), part of the message; then the text after the fix, or options. */
type Case = [Code, string, string, (string | CheckOptions)?]

const cases: Case[] = [
  // The tables: types, values, forms.
  [
    'type-wrong',
    page('{"enablePullDownRefresh": «"true"»}'),
    'takes true or false',
    page('{"enablePullDownRefresh": true}'),
  ],
  ['type-wrong', page('{"onReachBottomDistance": «"50px"»}'), 'takes a number', page('{"onReachBottomDistance": 50}')],
  [
    'type-wrong',
    page('{"app-plus": {"scrollIndicator": «false»}}'),
    'write "none"',
    page('{"app-plus": {"scrollIndicator": "none"}}'),
  ],
  ['value-undocumented', bar('«true»'), 'an object { … }, or false'],
  ['type-wrong', page('{"navigationStyle": «null»}'), 'takes "default" or "custom" (pages-json §2.4)'],
  ['type-wrong', page('{"navigationBarTextStyle": «1»}'), 'write "black" or "white"'],
  ['type-wrong', page('{"backgroundColor": «true»}'), 'takes #RRGGBB or transparent, in double quotes'],
  ['type-wrong', page('{"backgroundColor": «123456»}'), 'write "#123456"', page('{"backgroundColor": "#123456"}')],
  ['type-wrong', more('"tabBar": «[]»'), '"tabBar" takes an object'],
  ['type-wrong', '«[]»', 'The file takes an object'],
  ['type-wrong', '{"pages": [«"pages/a/a"»]}', 'An item of "pages" takes an object'],
  ['type-wrong', tab('"iconfont": {"fontSize": «12»}'), 'write "12px"'],
  ['type-wrong', global('{"usingComponents": {"a": «1»}}'), '"a" in "usingComponents"'],
  [
    'value-unknown',
    page('{"navigationBarTextStyle": «"whit"»}'),
    'Did you mean "white"?',
    page('{"navigationBarTextStyle": "white"}'),
  ],
  [
    'value-unknown',
    page('{"navigationBarTextStyle": «"#ffffff"», "navigationBarBackgroundColor": "#FFFFFF"}'),
    'takes "black" or "white"',
    page('{"navigationBarTextStyle": "white", "navigationBarBackgroundColor": "#FFFFFF"}'),
  ],
  [
    'value-unknown',
    page('{"navigationBarTextStyle": «"#fff"»}'),
    'takes "black" or "white"',
    page('{"navigationBarTextStyle": "white"}'),
  ],
  ['value-unknown', bar('{"backgroundImage": «"linear-gradient(to top, #000000, #FFFFFF)"»}'), 'to top left'],
  ['value-unknown', bar('{"backgroundImage": «"linear-gradient(to right, #0000, #FFFFFF)"»}'), 'two colors'],
  ['value-undocumented', page('{"app-plus": {"bounce": «"vertical"»}}'), 'only defines "none"'],
  ['value-range', more('"condition": {"current": «-1», "list": []}'), 'an integer of at least 0'],
  ['value-theme', page('{"navigationBarBackgroundColor": «"@navBg"»}'), 'which is not known here'],
  ['value-locale', page('{"navigationBarTitleText": «"%title%"»}'), 'which is not known here'],
  ['color-form', page('{"backgroundColor": «"white"»}'), 'write #FFFFFF', page('{"backgroundColor": "#FFFFFF"}')],
  ['color-form', page('{"backgroundColor": «"rgba(255,0,0,1)"»}'), 'write #FF0000'],
  ['color-form', bar('{"backgroundColor": «"rgba(256,0,0,1)"»}'), '#RRGGBB or rgba(R,G,B,A)'],
  ['color-form', page('{"backgroundColor": «" #FFFFFF"»}'), 'write #FFFFFF', page('{"backgroundColor": "#FFFFFF"}')],
  ['color-form', page('{"backgroundColor": «"#123456FF"»}'), 'write #123456', page('{"backgroundColor": "#123456"}')],
  ['color-form', tabs('').replace('"#111111"', '«""»'), '"" is not a valid color for "selectedColor"'],
  ['color-short', page('{"backgroundColor": «"#1aF"»}'), 'write #11aaFF', page('{"backgroundColor": "#11aaFF"}')],
  [
    'size-form',
    bar('{"searchInput": {"borderRadius": «"10rpx"»}}'),
    'rpx is not supported',
    bar('{"searchInput": {"borderRadius": "5px"}}'),
  ],
  ['size-form', bar('{"buttons": [{"width": «"88rpx"»}]}'), 'or auto'],
  ['size-form', tabs(', "height": «"-50px"»'), 'a number with px'],
  ['size-form', bar('{"type": "transparent", "coverage": «"-5px"»}'), 'which cannot be negative'],
  ['size-form', bar('{"splitLine": {"height": «"-5px"»}}'), 'or a percentage'],
  ['size-form', page('{"app-plus": {"pullToRefresh": {"range": «"-5px"»}}}'), 'a number with px'],
  ['size-form', page('{"app-plus": {"pullToRefresh": {"height": «"-5%"»}}}'), 'a number with px'],
  ['size-form', subWindow('{"id": "a", "path": "pages/a/b", "style": {"width": «"-5px"», "top": "-5px"}}'), 'negative'],
  ['size-form', bar('{"titleSize": «"17 PX"»}'), 'as in 17px', bar('{"titleSize": "17px"}')],
  ['size-form', page('{"app-plus": {"pullToRefresh": {"height": «"100rpx"»}}}'), 'as in 50px'],
  ['size-form', more('"leftWindow": {"path": "windows/left", "style": {"width": «"20em"»}}'), 'or calc(…)'],
  ['key-required', '«{»}', '"pages" is missing'],
  ['key-required', '{"pages": [«{»"style": {}}]}', '"path" is missing'],
  [
    'key-required',
    more('"condition": «{»"list": []}'),
    '"current" is missing',
    more('"condition": {"current": 0,"list": []}'),
  ],
  [
    'key-unknown',
    page('{«"navigationBarTitleTxt"»: "x"}'),
    'did you mean "navigationBarTitleText"?',
    page('{"navigationBarTitleText": "x"}'),
  ],
  ['key-unknown', more('«"qqq"»: 1'), 'in the file (pages-json §2.1): it takes "globalStyle", "pages"'],
  ['key-unknown', global('{"navigationStyle": "custom", «"navigationStile"»: "default"}'), 'already has that key'],
  ['key-ecosystem', page('{«"titleNView"»: false}'), 'It counts as "app-plus.titleNView"'],
  ['key-ecosystem', page('{"h5": {«"navigationBarTitleText"»: "x"}}'), 'It overrides "navigationBarTitleText"'],
  ['value-unknown', page('{"h5": {"navigationBarTitleText": «5»}}'), 'a string in double quotes'],
  [
    'key-misplaced',
    page('{"h5": {"titleNView": {"buttons": [{«"colorPressed"»: "#000000"}]}}}'),
    'titleNView.buttons[] (pages-json §2.6.1)',
  ],
  ['key-misplaced', page('{"h5": {"titleNView": {«"splitLine"»: true}}}'), 'app-plus.titleNView'],
  ['key-misplaced', tab('«"iconWidth"»: "24px"'), 'it belongs in tabBar (pages-json §2.7)'],
  ['key-misplaced', tab('«"fontSize"»: "11px"'), 'it belongs in tabBar (pages-json §2.7)'],
  [
    'key-misplaced',
    tab('«"fontSize"»: "11px", "iconfont": {"text": "a"}'),
    'it belongs in tabBar.list[].iconfont (pages-json §2.7)',
  ],
  [
    'key-misplaced',
    '{"pages": [{"path": "pages/a/a"}], "subPackages": [{"root": "b", "pages": [], «"easycom"»: {}}]}',
    'in the file (pages-json §2.1)',
  ],
  ['key-misplaced', global('{«"titleOverflow"»: "clip"}'), 'it belongs in globalStyle.app-plus.titleNView'],
  [
    'key-misplaced',
    global('{"app-plus": {"titleNView": {«"navigationBarTextStyle"»: "black"}}}'),
    'it belongs in globalStyle (',
  ],
  ['key-unknown', more('«"usingComponts"»: {}'), 'mean "usingComponents"?', more('"usingComponents": {}')],
  [
    'key-unknown',
    page('{«"navigationBarText"»: "Home"}'),
    'did you mean "navigationBarTitleText"?',
    page('{"navigationBarTitleText": "Home"}'),
  ],
  [
    'key-unknown',
    page('{«"navigationBarText"»: "white"}'),
    'did you mean "navigationBarTextStyle"?',
    page('{"navigationBarTextStyle": "white"}'),
  ],
  ['key-ecosystem', page('{«"disableScroll"»: true}'), 'not part of pages-json'],
  ['key-ecosystem', page('{«"mp-weixin"»: {}}'), 'another platform'],
  ['key-ecosystem', more('«"uniIdRouter"»: {}'), 'uni-id'],
  ['key-ecosystem', more('«"subpackages"»: []'), 'It counts as "subPackages"'],
  ['key-ecosystem', global('{«"backgroundTextStyle"»: "dark"}'), 'applies to every page'],
  [
    'key-platform',
    `{"pages": [{"path": "pages/a/a", "style": {\n// #ifdef MP-NEU\n«"maxWidth"»: 1\n// #endif\n}}]}`,
    'works on H5',
  ],
  ['key-too-new', bar('{«"titleAlign"»: "left"}'), 'requires App 2.6.3', { targets: { App: '2.6.2' } }],

  [
    'key-too-new',
    tabs(', «"borderStyle"»: "#FF0000"'),
    'This value of "borderStyle" requires H5 3.0.0',
    { targets: { H5: '2.9.9' } },
  ],

  // Attributes without effect because of other attributes.
  ['key-no-effect', bar('{«"blurEffect"»: "dark"}'), 'only applies if "type" is "transparent" or "float"'],
  ['key-no-effect', bar('{"type": "float", «"coverage"»: "100px"}'), 'only applies if "type" is "transparent"'],
  [
    'key-no-effect',
    page('{"transparentTitle": "always", "app-plus": {"titleNView": {«"coverage"»: "9px"}}}'),
    'only applies if "type" is "transparent"',
  ],
  ['key-no-effect', bar('{"autoBackButton": false, «"backButton"»: {}}'), 'only applies if "autoBackButton" is true'],
  ['key-no-effect', bar('{"backButton": {«"background"»: "#000000"}}'), 'only applies if "type" is "transparent"'],
  ['key-no-effect', bar('{"backButton": {"badgeText": "1", «"redDot"»: true}}'), 'red dot is not shown'],
  ['key-no-effect', bar('{"buttons": [{"type": "share", «"fontSrc"»: "/a.ttf"}]}'), 'only applies if "type" is "none"'],
  ['key-no-effect', bar('{"buttons": [{"type": "share", «"text"»: "x"}]}'), 'only applies if "type" is "none"'],
  ['key-no-effect', bar('{"buttons": [{«"background"»: "#000000"}]}'), 'only applies if "type" is "transparent"'],
  ['key-no-effect', bar('{«"backgroundRepeat"»: "repeat"}'), 'only applies if "backgroundImage" is an image path'],
  ['key-no-effect', page('{«"backgroundTextStyle"»: "light"}'), 'which needs "enablePullDownRefresh": true'],
  [
    'key-no-effect',
    page(
      '{«"backgroundTextStyle"»: "light", "enablePullDownRefresh": true, "app-plus": {"pullToRefresh": {"style": "circle"}}}',
    ),
    'the indicator is a circle',
  ],
  [
    'key-no-effect',
    bar('{"backgroundImage": "linear-gradient(to left, #000000, #FFFFFF)", «"backgroundRepeat"»: "repeat"}'),
    'only applies if "backgroundImage" is an image path',
  ],
  [
    'key-no-effect',
    page('{"app-plus": {"pullToRefresh": {"style": "circle", «"contentdown"»: {}}}}'),
    'only applies if "style" is "default"',
  ],
  [
    'key-no-effect',
    subWindow('{"id": "a", "path": "pages/a/b", "style": {«"dock"»: "left"}}'),
    'only applies if "position" is "dock"',
  ],
  [
    'key-no-effect',
    subWindow('{"id": "a", "path": "pages/a/b", "style": {«"mask"»: "#000000"}}'),
    'only applies if "type" is "popup"',
  ],
  [
    'key-no-effect',
    subWindow('{"id": "a", "path": "pages/a/b", "style": {"top": "1px", "height": "9px", «"bottom"»: "1px"}}'),
    '"top" and "height"',
  ],
  [
    'key-no-effect',
    subWindow('{"id": "a", "path": "pages/a/b", "style": {"left": "1px", "width": "9px", «"right"»: "1px"}}'),
    '"left" and "width"',
  ],
  [
    'key-no-effect',
    subWindow('{"id": "a", "path": "pages/a/b", "style": {"top": "1px", "right": "1px", «"margin"»: "auto"}}'),
    '"right" and "top" are set',
  ],

  // Pages.
  ['pages-empty', '{«"pages"»: []}', 'at least one page'],
  ['page-duplicate', '{"pages": [{"path": "pages/a/a"}, {"path": «"pages/a/a"»}]}', 'listed twice'],
  [
    'page-duplicate',
    '{"pages": [{"path": "pages/a/a"}], "subPackages": [{"root": "pages", "pages": [{"path": «"a/a"»}]}]}',
    'through the subpackage "pages"',
  ],
  ['page-path', page('{}', '«"pages/a/a.vue"»'), 'no file extension', page('{}', '"pages/a/a"')],
  ['page-path', page('{}', '«"pages/a/a.vue"»'), 'no file extension', withFiles()],
  ['page-path', page('{}', '«""»'), 'The path is empty'],
  ['page-path', page('{}', '«"pages/../a"»'), 'is not a valid page path'],
  ['page-path', page('{}', '«" pages//a\\\\a"»'), 'is not a valid page path', page('{}', '"pages/a/a"')],
  [
    'page-path',
    '{"pages": [{"path": "pages/a/a"}], "subPackages": [{"root": «"../b"», "pages": []}]}',
    'not a valid root of a subpackage',
  ],
  ['page-path', '{"pages": [{"path": "pages/a/a"}], "subpackages": [{"root": «""», "pages": []}]}', 'as in "shop"'],
  ['page-path-form', page('{}', '«"/pages/a/a"»'), 'no leading slash', page('{}', '"pages/a/a"')],
  ['page-path-form', page('{}', '«"pages/a"»'), 'pages/<dir>/<name>'],
  ['page-file-missing', page('{}', '«"pages/b/b"»'), 'has no file', withFiles()],
  [
    'page-file-missing',
    page('{}', '«"pages/a/A"»'),
    'but there is "pages/a/a"',
    { files: { exists: () => false, list: (folder) => (folder === 'pages/a' ? ['a.vue'] : []) } },
  ],
  [
    'page-nvue-attribute',
    page('{"app-plus": {"titleNView": false, «"bounce"»: "none"}}', '"pages/n/n"'),
    'only titleNView, pullToRefresh and scrollIndicator',
    withFiles('pages/n/n.nvue'),
  ],

  // Bars.
  [
    'bar-hidden',
    page('{"navigationStyle": "custom", "app-plus": {«"titleNView"»: {"titleText": "x"}}}'),
    'no navigation bar',
  ],
  ['bar-hidden', global('{"navigationStyle": "custom", "h5": {«"titleNView"»: {"titleText": "x"}}}'), 'remove one'],
  [
    'bar-contrast',
    page('{"navigationBarTextStyle": «"white"», "navigationBarBackgroundColor": "#F8F8F8"}'),
    'contrast of 1.1',
  ],
  ['bar-contrast', page('{"navigationBarTextStyle": «"black"»}'), '#000000 (the default)'],
  ['bar-contrast', bar('{"titleColor": «"#EEEEEE"», "backgroundColor": "#FFFFFF"}'), 'Set "titleColor" to "#000000"'],
  [
    'bar-contrast',
    page('{"navigationBarTextStyle": «"white"», "navigationBarBackgroundColor": "#969696"}'),
    'a contrast of 2.9, below the minimum of 3. Set "navigationBarTextStyle" to "black"',
  ],
  ['bar-title-image', global('{"titleImage": «"/static/a.png"»}'), 'every page'],
  ['bar-title-image', page('{"titleImage": "/static/a.png", «"navigationBarTitleText"»: "x"}'), 'not shown on H5'],
  ['badge-long', bar('{"backButton": {"badgeText": «"1000"»}}'), '3 characters'],
  ['badge-long', page('{"h5": {"titleNView": {"buttons": [{"badgeText": «"1000"»}]}}}'), 'truncated to "..."'],
  [
    'icon-escape',
    bar('{"buttons": [{"text": "«\\e»600"}]}'),
    'as \\u and four digits',
    bar('{"buttons": [{"text": "\\ue600"}]}'),
  ],
  [
    'icon-escape',
    bar('{"buttons": [{"text": «"\\\\e600"»}]}'),
    'with a single backslash',
    bar('{"buttons": [{"text": "\\ue600"}]}'),
  ],
  [
    'icon-escape',
    bar('{"buttons": [{"text": «"\\f015"»}]}'),
    'as "\\uf015"',
    bar('{"buttons": [{"text": "\\uf015"}]}'),
  ],
  ['icon-escape', tab('"iconfont": {"text": «"e600"»}'), 'plain text', tab('"iconfont": {"text": "\\ue600"}')],
  ['font-network', bar('{"buttons": [{"fontSrc": «"http://example.com/a.ttf"»}]}'), 'must be a file of the project'],
  ['image-network', bar('{"titleIcon": «"https://example.com/a.png"»}'), 'must be a file of the project'],
  ['image-missing', bar('{"titleIcon": «"/static/a.png"»}'), 'does not exist in the project', withFiles()],
  [
    'image-missing',
    bar('{"titleIcon": «"./../shared/a.png"»}'),
    'does not exist in the project',
    { files: { exists: (path) => !path.startsWith('custom-tab-bar') } },
  ],
  [
    'refresh-precedence',
    page('{«"enablePullDownRefresh"»: true, "app-plus": {"pullToRefresh": {"support": false}}}'),
    '"pullToRefresh.support" is false',
  ],
  [
    'refresh-precedence',
    page('{«"enablePullDownRefresh"»: false, "app-plus": {"pullToRefresh": {"support": true}}}'),
    '"pullToRefresh.support" is true',
  ],

  // Tabs.
  ['tab-count', tabs('', 1).replace('"list"', '«"list"»'), 'at least 2 and at most 5'],
  ['tab-count', tabs('', 6).replace('"list"', '«"list"»'), 'this one has 6. Remove one.'],
  [
    'tab-page-unknown',
    tabs('').replace('"pagePath": "pages/b/b"', '"pagePath": «"pages/b/bb"»'),
    'Did you mean "pages/b/b"?',
    tabs(''),
  ],
  [
    'tab-page-duplicate',
    tabs('').replace('"pagePath": "pages/b/b"', '"pagePath": «"pages/a/a"»'),
    'Another tab already opens',
  ],
  [
    'page-path-form',
    tabs('').replace('"pagePath": "pages/b/b"', '"pagePath": «"/pages/b/b"»'),
    'the same way here',
    tabs(''),
  ],
  ['tab-bar-custom', tabs(', «"custom"»: true'), 'needs custom-tab-bar/index.vue', withTabs()],
  ['tab-bar-custom', tabs(', «"custom"»: "true"'), 'takes true or false'],
  ['tab-bar-custom', tabs(', «"custom"»: false'), 'index.vue is not used', withTabs('custom-tab-bar/index.vue')],
  ['tab-bar-custom', tabs('').replace('"tabBar"', '«"tabBar"»'), 'not used', withTabs('custom-tab-bar/index.vue')],
  ['tab-icon-network', tab('"iconPath": «"https://example.com/a.png"»'), 'network images are not supported'],
  [
    'image-missing',
    tab('"selectedIconPath": «"static/a.png"»'),
    'does not exist in the project',
    { files: { exists: (path) => path.endsWith('.vue') && !path.startsWith('custom-tab-bar') } },
  ],
  ['tab-icon-form', tab('"iconPath": «"\\ue600"»'), 'belong in "iconfont"'],
  ['tab-icon-form', tab('"selectedIconPath": «"static/icons.ttf"»'), 'must be an image file'],
  [
    'tab-icon-size',
    tab('"iconPath": «"static/a.png"»'),
    '50 KB; at most 40 KB are allowed',
    { files: { exists: (path) => !path.startsWith('custom-tab-bar'), size: () => 50 * 1024 } },
  ],
  ['tab-icon-font', tab('«"iconPath"»: "static/a.png", "iconfont": {"text": "\\ue600"}'), 'overrides this image'],
  ['mid-button-odd', tabs(', «"midButton"»: {"text": "x"}', 3), 'an even number of tabs'],
  ['mid-button-page', tabs(', "midButton": {«"pagePath"»: "pages/a/a"}'), 'onTabBarMidButtonTap'],

  // Sub-windows and side windows.
  [
    'sub-window-id',
    subWindow('{"id": "a", "path": "pages/a/b"}, {"id": «"a"», "path": "pages/a/c"}'),
    'must be unique in the whole project',
  ],
  ['sub-window-incomplete', subWindow('«{»"path": "pages/a/b"}'), 'no "id"'],
  ['sub-window-incomplete', subWindow('{"id": "a", "path": «""»}'), 'no "path"'],
  ['sub-window-incomplete', global('{"app-plus": {"subNVues": [«{»"path": "pages/a/b"}]}}'), 'no "id"'],
  ['sub-window-path', subWindow('{"id": "a", "path": «"pages/b/b"»}'), 'folder of its page'],
  ['sub-window-file-missing', subWindow('{"id": "a", "path": «"pages/a/b"»}'), 'pages/a/b.nvue', withFiles()],
  ['window-incomplete', more('"leftWindow": «{»}'), 'has no content'],
  [
    'window-file-missing',
    more('"leftWindow": {"path": «"windows/left"»}'),
    'The file "windows/left" of leftWindow does not exist',
    withFiles(),
  ],
  ['window-absent', page('{«"leftWindow"»: false}'), 'does not define leftWindow'],

  // Components and start modes.
  ['easycom-direct', more('"easycom": {«"^my-(.*)"»: "@/my/$1.vue"}'), 'belong under "custom"'],
  ['easycom-pattern', more('"easycom": {"custom": {«"my-("»: "@/my.vue"}}'), 'not a valid regular expression'],
  ['easycom-group', more('"easycom": {"custom": {"^my-.*": «"@/my-$1.vue"»}}'), 'has no group'],
  ['easycom-target', more('"easycom": {"custom": {"^my$": «"@/my.nvue"»}}'), 'ends in .nvue'],
  ['easycom-target', more('"easycom": {"custom": {"^my-(.*)$": «"kit/$1"»}}'), 'has no extension'],
  [
    'easycom-file-missing',
    more('"easycom": {"custom": {"^my$": «"@/my.vue"»}}'),
    'does not exist in the project',
    withFiles(),
  ],
  [
    'easycom-file-missing',
    more('"easycom": {"custom": {"^u-(.*)": «"@/ui/parts/u-$1/u-$1.vue"»}}'),
    'The folder "ui/parts" does not exist',
    { files: { ...files('pages/a/a.vue'), list: (folder) => (folder === 'ui' ? ['u-a'] : []) } },
  ],
  ['component-file-missing', page('{"usingComponents": {"a": «"./b"»}}'), 'there is no "pages/a/b.vue"', withFiles()],
  [
    'component-file-missing',
    global('{"usingComponents": {"a": «"/parts/b"»}}'),
    'The component "a" has no file',
    withFiles(),
  ],
  [
    'condition-current',
    more('"condition": {"current": «1», "list": [{"name": "a", "path": ""}]}'),
    'the only index is 0',
  ],
  [
    'condition-page-unknown',
    more('"condition": {"current": 0, "list": [{"name": "a", "path": «"pages/a/b?id=1"»}]}'),
    'Did you mean "pages/a/a"?',
    more('"condition": {"current": 0, "list": [{"name": "a", "path": "pages/a/a?id=1"}]}'),
  ],
]

/** Removes the marks and returns their span. */
function unmark(marked: string) {
  const offset = marked.indexOf('«')
  return { text: marked.replace(/[«»]/g, ''), offset, length: marked.indexOf('»') - offset - 1 }
}

const look = ({ code, offset, length }: Diagnostic) => ({ code, offset, length })

describe('check', () => {
  it.each(cases)('%s: %s', (code, marked, part, more) => {
    const { text, offset, length } = unmark(marked)
    const found = check(readPages(text), typeof more === 'object' ? more : {})
    // No other errors or warnings are reported.
    expect(
      found.filter((each) => each.code === code || each.severity === 'error' || each.severity === 'warning').map(look),
    ).toEqual([{ code, offset, length }])
    const diagnostic = found.find((each) => each.code === code)!
    expect(diagnostic.message).toContain(part)
    expect(diagnostic.severity).toBe(codes[code][0])
    if (typeof more === 'string') expect(applyEdits(text, diagnostic.fix!.edits)).toBe(more)
  })

  it('has a case for every code except syntax errors', () => {
    const covered = new Set(cases.map(([code]) => code))
    const uncovered = (Object.keys(codes) as Code[]).filter(
      (code) => !covered.has(code) && !/^(syntax|conditional)-/.test(code),
    )
    // The last three need theme.json and locale: names.test.ts.
    expect(uncovered).toEqual(['key-duplicate', 'theme-name-missing', 'locale-key-missing', 'locale-file-missing'])
  })

  it('blocks a release only for errors with which the mini app cannot run', () => {
    const blocks = (text: string, code: Code) =>
      check(readPages(text))
        .filter((each) => each.code === code)
        .map((each) => each.blocks)
    expect(blocks(page('{"enablePullDownRefresh": "true"}'), 'type-wrong')).toEqual([false])
    expect(blocks(tabs('').replace('"color": "#000000", ', ''), 'key-required')).toEqual([false])
    expect(blocks(tab('"iconPath": "https://example.com/a.png"'), 'tab-icon-network')).toEqual([false])
    const commas = '{"pages": [{"path": "pages/a/a"} {"path": "pages/b/b"},,]}'
    expect(blocks(commas, 'syntax-comma-missing')).toEqual([false])
    expect(blocks(commas, 'syntax-comma-extra')).toContain(false)
    const rest = '{"pages": [{"path": "pages/a/a"}], "tabBar": {"color": "#000000"}, {"path": "pages/b/b"}}], "x": 1}'
    expect(blocks(rest, 'syntax-key-missing')).toEqual([false])
    expect(blocks(rest, 'syntax-after-end')).toEqual([false])
    expect(blocks(rest.replace('}}]', '}]'), 'syntax-bracket-extra')).toEqual([false])
    expect(blocks('{"pages": [{"path": "pages/a/a"}', 'syntax-bracket-open')).toContain(true)
    expect(blocks('{"pages": {}}', 'type-wrong')).toEqual([true])
    expect(blocks('{"pages": ["pages/a/a"]}', 'type-wrong')).toEqual([true])
    expect(blocks('{"pages": [{}]}', 'key-required')).toEqual([true])
    expect(blocks(tabs('', 6), 'tab-count')).toEqual([false])
    expect(blocks('{"pages": [{"path": "pages/a/a"}', 'syntax-bracket-open')).toEqual([true, true])
  })

  it('judges the colors of pages with and without a title alike', () => {
    const pages = [
      { path: 'pages/a/a', style: { navigationBarTitleText: 'A' } },
      { path: 'pages/b/b', style: {} },
      { path: 'pages/c/c', style: { navigationBarTitleText: 'C', enablePullDownRefresh: true } },
    ]
    const found = (backgroundColor: string) => {
      const globalStyle = { 'app-plus': { titleNView: { backgroundColor } } }
      return check(readPages(JSON.stringify({ pages, globalStyle }))).map(({ code, message }) => [code, message])
    }
    expect(found('#111111')).toEqual([['bar-contrast', expect.stringContaining('#000000 (the default) on #111111')]])
    expect(found('#EEEEEE')).toEqual([])
  })

  it('suggests the path of an existing page, even if the case of a folder is wrong', () => {
    const folders: Record<string, string[]> = { '': ['pages'], pages: ['index'], 'pages/index': ['index.vue'] }
    const existing = {
      exists: (path: string) => path === 'pages/index/index.vue',
      list: (path: string) => folders[path] ?? [],
    }
    const missing = (path: string) =>
      check(readPages(page('{}', JSON.stringify(path))), { files: existing }).find(
        ({ code }) => code === 'page-file-missing',
      )
    for (const path of ['pages/Index/index', 'Pages/index/Index', 'pages/indx/index']) {
      expect(missing(path)).toMatchObject({ code: 'page-file-missing', fix: { title: 'Write "pages/index/index"' } })
      expect(missing(path)!.message).toContain('but there is "pages/index/index"')
    }
    expect(missing('pages/other/other')!.fix).toBeUndefined()
  })

  it('accepts attributes that other attributes make effective', () => {
    const fine = [
      page('{"app-plus": {"pullToRefresh": {"style": "default", "color": "#FF0000"}}}'),
      page('{\n// #ifdef MP\n"navigationStyle": "custom",\n// #endif\n"app-plus": {"titleNView": {"titleText": "x"}}}'),
      bar('{"type": "float", "blurEffect": "dark"}'),
      bar('{"blurEffect": "none", "backButton": {"background": "none"}}'),
      page('{"transparentTitle": "auto", "app-plus": {"titleNView": {"coverage": "9px"}}}'),
      global('{"transparentTitle": "auto"}').replace(
        '{"path": "pages/a/a"}',
        '{"path": "pages/a/a", "style": {"app-plus": {"titleNView": {"coverage": "9px"}}}}',
      ),
      bar('null').replace('"titleNView": null', '"titleNView": {"splitLine": null}'),
      bar('{"backgroundImage": "linear-gradient(to bottom right, #000000, rgba(1,2,3,0.5))"}'),
      global('{"app-plus": {"titleNView": {"type": "transparent"}}}').replace(
        '{"path": "pages/a/a"}',
        '{"path": "pages/a/a", "style": {"app-plus": {"titleNView": {"coverage": "9px"}}}}',
      ),
      global('{"app-plus": {"titleNView": {"coverage": "9px", "backgroundRepeat": "repeat"}}}').replace(
        '{"path": "pages/a/a"}',
        '{"path": "pages/a/a", "style": {"app-plus": {"titleNView": {"type": "transparent", "backgroundImage": "/a.png"}}}}',
      ),
      global('{"app-plus": {"titleNView": {"backgroundImage": "/a.png"}}}').replace(
        '{"path": "pages/a/a"}',
        '{"path": "pages/a/a", "style": {"app-plus": {"titleNView": {"backgroundRepeat": "repeat"}}}}',
      ),
      '{"pages": [{"path": "pages/a/a", "style": {\n// #ifdef H5\n"app-plus": {"titleNView": false}\n// #endif\n}}]}',
      bar('{"backgroundRepeat": "no-repeat", "buttons": [{"text": "e600"}]}'),
      tab('"iconfont": {"text": "face"}'),
      tabs(', "midButton": {}', 4),
      tabs('').replace('"text": "a"', '"visible": true, "text": ""'),
      page(
        '{"navigationStyle": "custom", "navigationBarTextStyle": "white", "navigationBarBackgroundColor": "#FFFFFF"}',
      ),
      global('{"navigationStyle": "custom", "app-plus": {"titleNView": {"titleText": "x"}}}').replace(
        '{"path": "pages/a/a"}',
        '{"path": "pages/a/a"}, {"path": "pages/b/b", "style": {"navigationStyle": "default"}}',
      ),
      page('{"titleImage": "https://example.com/a.png"}'),
      more('"condition": {"current": 0, "list": []}'),
      more('"easycom": {"custom": {"^uni-(.*)": "@dcloudio/uni-ui/lib/uni-$1/uni-$1.vue"}}'),
      more('"easycom": {"custom": {"my-title": "@/components/my-title"}}'),
      global('{"navigationBarBackgroundColor": "@bar"}').replace(
        '{"path": "pages/a/a"}',
        '{"path": "pages/a/a", "style": {"navigationBarTextStyle": "black"}}',
      ),
      more('"topWindow": {"path": "windows/top", "style": {"height": "44px"}}'),
      more('"leftWindow": {"path": "windows/left", "style": {"width": "20vw"}}'),
      more('"rightWindow": {"path": "windows/right", "style": {"width": "calc(100vw - (200px + 20%))"}}'),
    ]
    const found = (text: string) => check(readPages(text)).filter(({ code }) => code !== 'value-theme')
    for (const text of fine) expect(found(text), text).toEqual([])
  })

  it('accepts keys in blocks that also name a build of another tool chain in which they work', () => {
    const isReported = (condition: string, style: string) => {
      const text = `{"pages": [{"path": "pages/a/a", "style": {\n// #ifdef ${condition}\n${style}\n// #endif\n}}]}`
      return check(readPages(text)).some(({ code }) => code === 'key-platform')
    }
    expect(isReported('H5 || MP-WEIXIN', '"pageOrientation": "auto"')).toBe(false)
    expect(isReported('H5 || APP-HARMONY', '"pageOrientation": "auto"')).toBe(true)
    expect(isReported('H5 || APP && !MP-WEIXIN', '"pageOrientation": "auto"')).toBe(true)
    expect(isReported('H5', '"pageOrientation": "auto"')).toBe(true)
    // The default changes nothing on any platform.
    expect(isReported('H5', '"pageOrientation": "portrait", "disableSwipeBack": false')).toBe(false)
  })

  it.each(['APP-ANDROID', 'APP-IOS'])('checks pages with the globalStyle of %s', (build) => {
    const found = (globalStyle: string, style: string) =>
      check(
        readPages(
          global(`{\n// #ifdef ${build}\n${globalStyle}\n// #endif\n}`).replace('"}]', `", "style": ${style}}]`),
        ),
      ).map(({ code, platforms: affected }) => [code, ...affected])
    const white = '"navigationBarBackgroundColor": "#FFFFFF", "navigationBarTextStyle": "white"'
    expect(found(white, '{}')).toEqual([['bar-contrast', 'App']])
    // It has an effect in one of the builds of App.
    const refresh = '"enablePullDownRefresh": true, "app-plus": {"pullToRefresh": {"style": "default"}}'
    expect(found(refresh, '{"backgroundTextStyle": "light"}')).toEqual([])
    expect(found('"pageOrientation": "auto"', '{"backgroundTextStyle": "light"}')).toContainEqual([
      'key-no-effect',
      ...platforms,
    ])
  })

  it('reports only the invalid value, not attributes that depend on it', () => {
    const docked = subWindow('{"id": "a", "path": "pages/a/b", "style": {"position": "absolute", "dock": "static"}}')
    expect(check(readPages(docked)).map(({ code }) => code)).toEqual(['value-unknown'])
    const text = page('{"app-plus": {"pullToRefresh": {"style": "cirle", "color": "#000000", "contentdown": {}}}}')
    expect(check(readPages(text)).map(({ code }) => code)).toEqual(['value-unknown'])
    const place = '{"position": "dock", "dock": "bottom", "height": "250px", "bottom": 0}'
    const bottom = subWindow(`{"id": "a", "path": "pages/a/b", "style": ${place}}`)
    expect(check(readPages(bottom)).map(({ code }) => code)).toEqual(['type-wrong'])
  })

  it('accepts strings of any length and any number of keys', () => {
    const target = `{"pages": [{"path": "pages/a/a"}], "easycom": {"custom": {"^a(.)$": "${'$1'.repeat(200_000)}.vue"}}}`
    expect(check(readPages(target))).toEqual([])
    const keys = Array.from({ length: 3 }, (_, index) => `"navigationBarTitleTex${index}": 1`)
    const style = `{${keys.join()}, "navigationBarTitleText": ""}`
    expect(check(readPages(page(style))).map(({ code, fix }) => [code, fix])).toEqual(
      keys.map(() => ['key-unknown', undefined]),
    )
  })

  it('corrects only one of two keys to the same name', () => {
    const found = check(readPages(page('{"navigationStile": "custom", "navigationStyl": "custom"}')))
    expect(found.map(({ code, fix }) => [code, fix?.title])).toEqual([
      ['key-unknown', 'Write "navigationStyle"'],
      ['key-unknown', undefined],
    ])
  })

  it('reads and checks subpackages in both spellings', () => {
    const text = `{"pages": [{"path": "pages/a/a"}], "subPackages": [{"root": "b", "pages": [{"path": "b"}]}],
      "subpackages": [{"root": "c", "pages": [{"path": "c", "style": {"navigationStyle": 1}}, {"path": "../b/b"}]}]}`
    const config = readPages(text)
    expect([...config.variants[0]!.model.byPath.keys()]).toEqual(['pages/a/a', 'b/b', 'c/c', 'c/../b/b'])
    expect(check(config).map(({ code }) => code)).toEqual(['key-ecosystem', 'type-wrong', 'page-path'])
  })

  it('reports sub-window ids that globalStyle already uses', () => {
    const window = (path: string) => `{"app-plus": {"subNVues": [{"id": "a", "path": "${path}"}]}}`
    const text = `{"globalStyle": ${window('pages/a/b')}, "pages": [{"path": "pages/a/a", "style": ${window('pages/a/c')}}]}`
    expect(check(readPages(text)).map(({ code }) => code)).toEqual(['sub-window-id'])
  })

  it('requires the text of a tab on Mini App only', () => {
    const text = tabs('').replace(', "text": "a"', '')
    expect(check(readPages(text)).map(({ code, platforms: affected }) => [code, affected])).toEqual([
      ['key-required', ['Mini App']],
    ])
  })

  it('looks up the file of a subpackage page by its full path', () => {
    const text =
      '{"pages": [{"path": "pages/a/a"}], "subPackages": [{"root": "shop/", "pages": [{"path": "cart/cart"}]}]}'
    const lookedUp: string[] = []
    const found = check(readPages(text), {
      files: { exists: (path) => lookedUp.push(path) > 0 && path === 'shop/cart/cart.vue' },
    })
    expect(found.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual(['page-file-missing'])
    expect(lookedUp).toContain('shop/cart/cart.vue')
  })

  it('reports a missing file for a page path with a line break', () => {
    for (const path of ['pages/a\\n/b', '\\n', 'a\\r\\nb']) {
      const found = check(readPages(`{"pages": [{"path": "${path}"}]}`), withFiles())
      expect(
        found.map(({ code }) => code),
        path,
      ).toContain('page-file-missing')
    }
  })
})

it('accepts a tab bar that a component of the project replaces', () => {
  const codesOf = (options: CheckOptions) => check(readPages(tabs(', "custom": true')), options).map(({ code }) => code)
  expect(codesOf(withFiles('custom-tab-bar/index.vue'))).not.toContain('tab-bar-custom')
  // Where only pages.json is known.
  expect(codesOf({})).not.toContain('tab-bar-custom')
})
