import type { Platform } from '@souk/pages'
import { expect, test } from 'vitest'
import { compileTemplate } from 'vue/compiler-sfc'
import { templateTransform } from './transform.ts'

const transformFor = (platform: Platform, filename: string) =>
  templateTransform({
    platform,
    includedWidth: () => 750,
    exists: (path) => ['static/there.png', 'static/a@2x.png'].includes(path),
    losesTagsOnly: () => filename.startsWith('/uni/'),
    putsLinksOutside: () => filename.startsWith('/uni/old/'),
  })

function compile(source: string, platform: Platform = 'H5', filename = '/app/pages/a/a.vue') {
  const { code, errors, tips } = compileTemplate({
    source,
    filename,
    id: 'a',
    compilerOptions: {
      nodeTransforms: [transformFor(platform, filename)],
      isCustomElement: (tag) => tag.startsWith('neu-'),
    },
    transformAssetUrls: { includeAbsolute: true, tags: { SoukTagImage: ['src'] } },
  })
  expect(errors).toEqual([])
  return { code, tips: tips.join('\n') }
}

test('compiles tags without behavior to plain elements', () => {
  const { code } = compile('<view class="a"><text>{{ name }}</text><cover-view>b</cover-view></view>')
  expect(code).toContain('"neu-view"')
  expect(code).toContain('"neu-text"')
  expect(code).toContain('"neu-cover-view"')
  expect(code).not.toContain('resolveComponent')
})

test.each([
  ['<view hover-class="on">a</view>', 'View'],
  ['<view :hoverClass="on">a</view>', 'View'],
  ['<view v-bind="all">a</view>', 'View'],
  ['<text decode>a</text>', 'Text'],
  ['<button>a</button>', 'Button'],
  ['<scroll-view scroll-y>a</scroll-view>', 'ScrollView'],
])('%s uses the component %s', (source, name) => {
  expect(compile(source).code).toContain(`_resolveComponent("SoukTag${name}")`)
})

test.each([
  ['{{ shop.owner.name }}', true],
  ['{{ shop?.owner.name }}', false],
  ['{{ name }}{{ a + 1 }}', false],
  ['{{ price(1) }}', true],
  ["{{ $t('shop.name') }}", false],
  ['<image :src="shop.picture" />', true],
  ['<image @load="shop.show(1)" />', false],
  ['<button :then="() => shop.close()" />', false],
  ['<div><block v-if="shops[0].isOpen">a</block></div>', true],
  ['<block v-for="(item, i) in shops">{{ item.name }}{{ i }}</block>', false],
  ['<block v-for="item in shops">{{ item.owner.name }}</block>', true],
  ['<block v-for="item in town.shops">a</block>', true],
  ['<my-item><template #default="{ item }">{{ item.name }}{{ shop.name }}</template></my-item>', false],
  ['<view>{{ shop.name }}</view>', false],
])('in a project of uni-app, a view is a component if what it renders may throw: %s, %s', (content, isComponent) => {
  const source = `<view class="outer">${content}</view>`
  expect(
    /_resolveComponent\("SoukTagView"\)[\s\S]*SoukTagView, \{[^}]*"?class"?: "outer"/.test(
      compile(source, 'H5', '/uni/a.vue').code,
    ),
  ).toBe(isComponent)
  expect(compile(source).code).not.toContain('SoukTagView')
})

test.each([
  ['<scroll-view scroll-y="true" />', '"scroll-y": ""'],
  ['<scroll-view scrollY="true" />', 'scrollY: ""'],
  ['<scroll-view scroll-y="false" />', '"scroll-y": "false"'],
  ['<radio value="true" checked="true" />', 'value: "true",\n    checked: ""'],
  ['<my-list scroll-y="true" />', '"scroll-y": "true"'],
])('the text true is true for attributes of tags that are true or false: %s', (source, props) => {
  expect(compile(source).code).toContain(props)
})

test('puts the link around a navigator in projects of older versions of uni-app', () => {
  const source = '<navigator url="/a">a</navigator>'
  expect(compile(source, 'H5', '/uni/old/a.vue').code).toContain('"link-outside": ""')
  expect(compile(source, 'H5', '/uni/a.vue').code).not.toContain('link-outside')
})

test('replaces @tap by @click on tags and elements, but not on components of the project', () => {
  const { code } = compile('<view @tap="a"><div @tap.stop="b" /><my-item @tap="c" /><button v-on:tap="d" /></view>')
  expect(code.match(/onClick:/g)).toHaveLength(3)
  expect(code.match(/onTap:/g)).toHaveLength(1)
  // The root of my-item may be an element that only has a click event.
  const tap = "import {} from '@souk/runtime/tap'"
  expect(code).toContain(tap)
  expect(compile('<view v-on="all" />').code).toContain(tap)
  expect(compile('<view @tap="a"><my-item @change="b" /></view>').code).not.toContain(tap)
})

test('makes a header in a list a part of it, and keeps other headers', () => {
  const { code } = compile(
    '<header>a</header><list><header>b</header><block><header>c</header></block><cell><header>d</header></cell></list>',
  )
  expect(code.match(/_resolveComponent\("[\w-]+"\)/g)?.sort()).toEqual([
    '_resolveComponent("cell")',
    '_resolveComponent("list")',
    '_resolveComponent("list-header")',
  ])
  expect(code.match(/"header"/g)).toHaveLength(2)
})

test('compiles canvas, video and audio to components, outside of svg', () => {
  const { code } = compile(
    '<canvas id="a" @touchmove="c" /><video src="/static/a.mp4" /><audio /><svg><canvas /></svg>',
  )
  for (const name of ['Canvas', 'Video', 'Audio']) expect(code).toContain(`_resolveComponent("SoukTag${name}")`)
  expect(code).toContain('src: "static/a.mp4"')
  expect(code).toContain('_createElementVNode("canvas")')
})

test('leaves tags that components of the project can replace to the resolution of components', () => {
  const { code } = compile('<page-meta><navigation-bar title="a" /></page-meta>')
  expect(code).toContain('_resolveComponent("page-meta")')
  expect(code).toContain('_resolveComponent("navigation-bar")')
  expect(code.match(/import \{\} from '@souk\/runtime\/pageMeta'/g)).toHaveLength(1)
  expect(compile('<match-media />').code).not.toContain('pageMeta')
})

test('replaces a block by its children, with or without a condition or loop', () => {
  const { code } = compile('<view><block v-if="a">1</block><block v-for="b in c">2</block><block>3</block></view>')
  expect(code).not.toContain('block"')
  expect(code).not.toContain('"template"')
  expect(code.match(/_Fragment,/g)!.length).toBeGreaterThanOrEqual(3)
})

test('converts rpx in static styles at build time and in bound styles at run time', () => {
  const { code } = compile('<view style="width: 10rpx" :style="{ height: size }"><text :style="a" /></view>')
  expect(code).toContain('calc(10 * var(--rpx))')
  expect(code).toContain("import { rpxStyle as _rpxStyle } from '@souk/runtime'")
  expect(code.match(/import \{ rpxStyle/g)).toHaveLength(1)
  expect(code).toContain('_rpxStyle({ height: _ctx.size })')
  expect(code.match(/_rpxStyle\(/g)).toHaveLength(2)
  expect(compile('<view style="width: 10px" />').code).not.toContain('rpxStyle')
  expect(compile(`<view :style="{ width: '10px' }" />`).code).not.toContain('rpxStyle')
  expect(compile(`<view><view :style="{ width: '10rpx' }" /></view>`).code).toContain("_rpxStyle({ width: '10rpx' })")
  expect(compile(`<view :style="'height: 5vh'" />`, 'App').code).toContain("_rpxStyle('height: 5vh')")
  expect(compile(`<view :style="'height: 5vh'" />`).code).not.toContain('rpxStyle')
  expect(compile('<view v-for="a in b" v-if="a" :style="a.style" />').code.match(/_rpxStyle\(/g)).toHaveLength(1)
})

test('converts rpx only in attributes that take a length or styles', () => {
  const { code } = compile(
    `<swiper previous-margin="10rpx" :nextMargin="margin"><icon size="20rpx" type="30rpx" /></swiper>
    <input placeholder-style="font-size: 40rpx" placeholder="50rpx" /><my-item size="60rpx" :size="margin" />`,
  )
  for (const count of [10, 20, 40]) expect(code).toContain(`calc(${count} * var(--rpx))`)
  for (const count of [30, 50, 60]) expect(code).toContain(`"${count}rpx"`)
  expect(code).toContain('nextMargin: _rpxStyle(_ctx.margin)')
  expect(code.match(/_rpxStyle\(/g)).toHaveLength(1)
  expect(compile('<icon :size="20" />').code).not.toContain('rpxStyle')
})

test('converts rpx in objects bound with v-bind', () => {
  const { code } = compile(
    '<view v-bind="a"><swiper v-bind="b" :style="c" /><my-item v-bind="$attrs" /><slot v-bind="d" /></view>',
  )
  expect(code).toContain('_rpxProps(_ctx.a)')
  expect(code).toContain('_rpxProps(_ctx.b, ["previousMargin","nextMargin"])')
  expect(code).toContain('_rpxProps(_ctx.$attrs)')
  expect(code.match(/_rpxProps\(/g)).toHaveLength(3)
  expect(code).toContain("import { rpxProps as _rpxProps } from '@souk/runtime'")
  expect(compile(`<view v-bind="{ style: 'width: 1rpx' }" />`).code).toContain("_rpxProps({ style: 'width: 1rpx' })")
})

test('makes paths of static files relative and warns about missing files', () => {
  const { code, tips } = compile('<view><image src="/static/there.png" /><image src="@/static/there.png?v=1" /></view>')
  expect(code).toContain('src: "static/there.png"')
  expect(code).toContain('src: "static/there.png?v=1"')
  expect(tips).toBe('')
  expect(compile('<image src="/static/a%402x.png" />').tips).toBe('')
  expect(compile('<image src="/static/gone.png" />').tips).toContain('The file static/gone.png does not exist.')
  expect(compile('<image src="./beside.png" />').code).toContain("from './beside.png'")
})

test('does not import missing files of HTML elements, which fail only where they are shown', () => {
  const { code, tips } = compile('<img src="/static/gone.png" />')
  expect(code).toContain('src: "static/gone.png"')
  expect(tips).toContain('The file static/gone.png does not exist.')
  expect(compile('<view><img src="/static/there.png" /></view>').tips).toBe('')
})

test.each([
  ['~@/static/there.png', '@/static/there.png'],
  ['~/~/static/there.png', '~/static/there.png'],
  ['@img/static/there.png', '@img/static/there.png'],
  ['../static/there.png', '../static/there.png'],
])('imports %s by its alias or relative to the page', (written, imported) => {
  const { code, tips } = compile(`<image src="${written}" />`)
  expect(code).toContain(`import _imports_0 from '${imported}'`)
  expect(tips).toBe('')
})

test('makes URLs of static files in styles relative', () => {
  const { code } = compile(
    `<view style="background: url('/static/a.png'), url(@/shop/static/b.png), url(/other/c.png)" />`,
  )
  expect(code).toMatch(/url\('static\/a\.png'\), *url\(shop\/static\/b\.png\), *url\(\/other\/c\.png\)/)
  expect(compile(`<view :style="'background: url(/static/a.png)'" />`).code).toContain('_rpxStyle(')
})

test('leaves text and image inside svg unchanged', () => {
  const { code } = compile('<svg><text>a</text><image href="https://a.example/b.png" /></svg>')
  expect(code).toContain('"text"')
  expect(code).not.toContain('neu-')
})

test('converts vh to the height of the page if the host draws the bars', () => {
  const page = '<view style="height: 100vh" />'
  expect(compile(page, 'App').code).toContain('calc(100 * var(--vh, 1vh))')
  expect(compile(page).code).toContain('100vh')
})

test('makes assignments in listeners of text fields return nothing', () => {
  const code = (source: string) => compile(source).code.replace(/\s+/g, ' ')
  expect(code('<input @input="a = $event.detail.value" />')).toContain('$event => {_ctx.a = $event.detail.value;}')
  expect(code('<textarea @input="a = 1, b.c += 2" />')).toContain('$event => {_ctx.a = 1, _ctx.b.c += 2;}')
  expect(code('<input @input="upper($event)" />')).toContain('$event => (_ctx.upper($event))')
  expect(code('<input @input="(e) => a = e" />')).toContain('(e) => _ctx.a = e')
  expect(code('<button @click="a = 1" />')).toContain('$event => (_ctx.a = 1)')
})

test('replaces a backslash and an n in the text of a tag, also at run time', () => {
  const { code } = compile('<text>one\\ntwo {{ a }}{{ b.c }}</text><text decode>{{ d }}</text><view>{{ e }}</view>')
  expect(code).toContain('one\\ntwo ')
  for (const name of ['a', 'b.c', 'd']) expect(code).toContain(`_toDisplayString(_withLineBreaks(_ctx.${name}))`)
  expect(code).toContain('_toDisplayString(_ctx.e)')
  expect(code.match(/import \{ withLineBreaks/g)).toHaveLength(1)
})
