import { describe, expect, it } from 'vitest'
import { readPages } from '../config.ts'
import { check } from './check.ts'

// Projects with one common mistake each.

const project = (pages: string, rest = '') => `{
	"pages": [
${pages}
	]${rest}
}
`
const entry = (path: string, rest = '') => `		{ "path": "${path}"${rest} }`
const home = entry('pages/home/home')
const cart = entry('pages/cart/cart')
const tabBar = (list: string, rest = '') => `,
	"tabBar": {
		"color": "#7A7E83",
		"selectedColor": "#3CC51F",
		"backgroundColor": "#FFFFFF",
		"list": [
${list}
		]${rest}
	}`
const tab = (path: string) => `			{ "pagePath": "${path}", "text": "Tab" }`
const two = `${tab('pages/home/home')},\n${tab('pages/cart/cart')}`

const broken: [string, string, string, string][] = [
  ['a missing comma between pages', project(`${home}\n${cart}`), '3:32 error', 'Missing comma between two items.'],
  [
    'a missing comma between keys',
    project(`		{ "path": "pages/home/home"\n		  "style": {} }`),
    '3:30 error',
    'Missing comma between two keys.',
  ],
  [
    'a page that is not closed',
    project(`		{ "path": "pages/home/home",\n${cart}`),
    '3:30 error',
    'the object before the comma is not closed',
  ],
  [
    'a string that is not closed',
    project(`		{ "path": "pages/home/home,\n		  "style": {} }`),
    '3:13 error',
    'add a double quote at its end',
  ],
  ['a full-width comma', project(`${home}，\n${cart}`), '3:32 error', 'write ","'],
  [
    'a tab whose page does not exist',
    project(`${home},\n${cart}`, tabBar(`${tab('pages/home/home')},\n${tab('pages/cart/card')}`)),
    '12:18 error',
    'Did you mean "pages/cart/cart"?',
  ],
  ['a single tab', project(home, tabBar(tab('pages/home/home'))), '9:3 error', 'at least 2 and at most 5 tabs'],
  [
    'a middle button with three tabs',
    project(
      `${home},\n${cart},\n${entry('pages/me/me')}`,
      tabBar(`${two},\n${tab('pages/me/me')}`, ',\n		"midButton": { "text": "+" }'),
    ),
    '16:3 warning',
    'needs an even number of tabs',
  ],
  [
    'a tab bar without its color',
    project(`${home},\n${cart}`, tabBar(two)).replace('\t\t"selectedColor": "#3CC51F",\n', ''),
    '6:12 error',
    '"selectedColor" is missing',
  ],
  [
    'a boolean in quotes',
    project(entry('pages/home/home', ', "style": { "enablePullDownRefresh": "true" }')),
    '3:68 error',
    'takes true or false',
  ],
  [
    'a number in quotes',
    project(entry('pages/home/home', ', "style": { "onReachBottomDistance": "50" }')),
    '3:68 error',
    'write 50',
  ],
  [
    'an object instead of an array',
    '{\n  "pages": { "path": "pages/home/home" }\n}\n',
    '2:12 error',
    'takes an array [ … ]',
  ],
  [
    'a page listed twice through a subpackage',
    project(entry('pages/shop/cart'), ',\n	"subPackages": [{ "root": "pages/shop", "pages": [{ "path": "cart" }] }]'),
    '5:62 error',
    'through the subpackage "pages/shop"',
  ],
  [
    'a misspelt attribute',
    project(entry('pages/home/home', ', "style": { "navigationBarTitelText": "Home" }')),
    '3:43 warning',
    'did you mean "navigationBarTitleText"?',
  ],
  [
    'a color instead of black or white',
    project(entry('pages/home/home', ', "style": { "navigationBarTextStyle": "#000000" }')),
    '3:69 warning',
    'Did you mean "black"?',
  ],
  [
    'white on white',
    project(
      home,
      ',\n	"globalStyle": { "navigationBarTextStyle": "white", "navigationBarBackgroundColor": "#FFFFFF" }',
    ),
    '5:45 warning',
    'is hard to read',
  ],
  [
    'a font icon copied from a style sheet',
    project(
      entry('pages/home/home', ', "style": { "app-plus": { "titleNView": { "buttons": [{ "text": "\\e600" }] } } }'),
    ),
    '3:96 error',
    'as \\u and four digits',
  ],
  ['a page without its file', project(`${home},\n${entry('pages/nobody/nobody')}`), '4:13 error', 'has no file'],
  [
    'a conditional comment that is not closed',
    project(`${home},\n		// #ifdef H5\n${cart}`),
    '4:3 error',
    'write "// #endif"',
  ],
  [
    'a start mode outside the list',
    project(home, ',\n	"condition": { "current": 2, "list": [{ "name": "home", "path": "pages/home/home" }] }'),
    '5:28 warning',
    'has no entry 2',
  ],
  ['a path with its extension', project(entry('pages/home/home.vue')), '3:13 error', 'write "pages/home/home"'],
]

describe('a broken project', () => {
  it.each(broken)('with %s is reported at the right position with advice', (_, text, position, message) => {
    const config = readPages(text)
    const existing = new Set(
      ['pages/home/home', 'pages/cart/cart', 'pages/me/me', 'pages/shop/cart', 'pages/home/home.vue'].map(
        (path) => `${path}.vue`,
      ),
    )
    const found = check(config, { files: { exists: (path) => existing.has(path) } })
    const { line, column } = config.lines.positionAt(found[0]!.offset)
    expect(`${line}:${column} ${found[0]!.severity}`, found[0]!.message).toBe(position)
    expect(found[0]!.message).toContain(message)
  })
})
