import { expect, test } from 'vitest'
import { sanitize } from './richNodes.ts'

test('drops scripts and unknown elements with their content', () => {
  expect(
    sanitize([
      { name: 'script', children: [{ type: 'text', text: 'alert(1)' }] },
      { name: 'iframe', attrs: { src: 'https://a.example' } },
      { name: 'svg' },
      { name: 'constructor' },
      { name: 'style' },
      { name: 'P', children: [{ type: 'text', text: '1 &lt; 2' }] },
    ]),
  ).toEqual([{ name: 'p', attrs: {}, children: ['1 < 2'] }])
})

test('allows only the attributes listed for the tag', () => {
  const attrs = { class: 'a', style: 'color: red', onclick: 'x()', OnError: 'x()', href: '/b', srcdoc: 'x', id: 'c' }
  expect(sanitize([{ name: 'p', attrs }])).toEqual([
    { name: 'p', attrs: { class: 'a', style: 'color: red' }, children: [] },
  ])
})

test.each([
  ['a', 'href', 'javascript:alert(1)', false],
  ['a', 'href', ' jAva\tscript:alert(1)', false],
  ['a', 'href', '\u0001javascript:alert(1)', false],
  ['a', 'href', 'data:text/html,x', false],
  ['a', 'href', 'vbscript:x', false],
  ['a', 'href', 'mailto:a@b.example', true],
  ['a', 'href', '/pages/a?x=1:2', true],
  ['a', 'href', '#top', true],
  ['img', 'src', 'javascript:alert(1)', false],
  ['img', 'src', 'data:text/html,x', false],
  ['img', 'src', 'data:image/png;base64,AA==', true],
  ['img', 'src', 'https://a.example/a.png', true],
  ['img', 'src', '//a.example/a.png', true],
])('%s %s=%j: %j', (name, attr, address, isKept) => {
  const [node] = sanitize([{ name, attrs: { [attr]: address } }])
  expect(node).toMatchObject({ attrs: isKept ? { [attr]: address } : {} })
  if (!isKept) expect(node).toEqual({ name, attrs: {}, children: [] })
})

test('ignores invalid nodes', () => {
  expect(sanitize([null as never, 'text' as never, {}, { name: 'p', children: 'x' as never }])).toEqual([
    { name: 'p', attrs: {}, children: [] },
  ])
})
