// Vue language tools plug-in: treats <view>, <button>, <input> … in pages as mini app components, not as HTML or SVG
// elements. Plug-ins must be CommonJS.
const { createRequire } = require('node:module')

const { parserOptions } = createRequire(require.resolve('vue'))('@vue/compiler-dom')
const tags = new Set(require('./tags.json'))

/** Detects Souk's own components, where <button> is the HTML element, by their `neu-` elements and classes. */
const isOwn = (template) => /[\s<"'`]neu-/.test(template)

module.exports = () => ({
  name: 'souk',
  version: 2.2,
  // Before the plug-in that compiles.
  order: -1,
  compileSFCTemplate(_lang, template, options) {
    if (!isOwn(template)) options.isNativeTag = (tag) => !tags.has(tag) && parserOptions.isNativeTag(tag)
    return undefined
  },
})
