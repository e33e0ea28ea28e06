import { expect, test } from 'vitest'
import { normalizeStyle, h as plainH, Text } from 'vue'
import { cloneVNode, createVNode, h } from './renderFunctions.ts'

const width = 'calc(100 * var(--rpx))'

test.each([
  ['an object', { width: '100rpx', '--gap': '4rpx' }, { width, '--gap': 'calc(4 * var(--rpx))' }],
  ['a text', 'width: 100rpx; color: red', { width, color: 'red' }],
  ['an array', [{ width: '100rpx' }, 'color: red', null], { width, color: 'red' }],
  ['upx', { width: '100upx' }, { width }],
])('converts %s', (_, style, expected) => {
  const written = structuredClone(style)
  for (const vnode of [h('view', { style }), createVNode('view', { style }), cloneVNode(plainH('view'), { style })])
    expect(normalizeStyle([vnode.props!.style])).toEqual(expected)
  expect(style).toEqual(written)
})

test('leaves everything else to Vue', () => {
  const child = plainH('text')
  expect(h('view').props).toBeNull()
  expect(h('view', null, 'a').children).toBe('a')
  expect(h('view', child).children).toEqual([child])
  expect(h('view', [child]).children).toEqual([child])
  expect(h('view', 'text: 10rpx').children).toBe('text: 10rpx')
  // @ts-expect-error Vue accepts several children, but its types do not
  expect(h('view', { class: 'a' }, child, child)).toMatchObject({ props: { class: 'a' }, children: [child, child] })
  expect(h({ render: () => null }, { style: 'width: 100rpx' }, () => 'slot').props!.style).toBe(`width: ${width}`)
  expect(createVNode(Text, null, 'a').children).toBe('a')
})
