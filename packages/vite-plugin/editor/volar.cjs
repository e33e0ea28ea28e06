// Tells Vue's language tools that <view>, <button>, <input> … of pages are the components of mini apps, not elements of HTML and SVG. They take
// plug-ins as CommonJS alone.
const { createRequire } = require('node:module')

const { parserOptions } = createRequire(require.resolve('vue'))('@vue/compiler-dom')
const tags = new Set(require('./tags.json'))

/** Souk's own components, which are looked at together with the project, draw elements and classes of this name; there, <button> is HTML's. */
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
