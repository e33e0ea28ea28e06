import { expect, it } from 'vitest'
import { mayNeedNeu, neuModules } from './neuModules.ts'

it.each([
  ['functions of the start', `uni.navigateTo({ url }); wx?.showToast({}); neu.$emit('done'); uni.onAppShow(f)`, []],
  ['storage', `uni.setStorageSync('name', 1)`, ['neu/storage']],
  ['several', `const { width } = uni.getWindowInfo(); uni.createSelectorQuery()`, ['neu/system', 'neu/objects']],
  ['services that are answered early', 'uni.getSystemInfo({ success })', ['neu/system']],
  ['functions of an object that may be neu', `api.getLocale()`, ['neu/system']],
  ['an import', `import { neu } from '@souk/runtime'\nneu.getLocale()`, ['neu/system']],
  ['an import under another name', `import { neu as api } from '@souk/runtime'`, ['neu']],
  ['the constant env', 'wx.env.USER_DATA_PATH', ['neu/objects']],
  ['properties named env', 'process.env.UNI_PLATFORM; import.meta.env', []],
  ['functions that are missing on all platforms', `uni.createRewardedVideoAd({})`, ['neu']],
  ['names that are not functions of neu', `if (uni.webView) uni.webView.postMessage({})`, ['neu']],
  ['a variable', `const api = uni\napi.getLocale()`, ['neu']],
  ['destructuring', `const { showToast } = uni`, ['neu']],
  ['computed names', `uni[name]({})`, ['neu']],
  ['enumeration', `for (const name in uni) wrap(name)`, ['neu']],
  ['arguments', `Object.keys(wx)`, ['neu']],
  ['a property of the global object', `window.uni.showToast({}); const api = globalThis.uni`, ['neu']],
  ['the test of the type', `typeof uni !== 'undefined' && uni.navigateTo({ url })`, []],
  ['texts, keys, paths and class names', `import 'uni-ui/uni.js'; ({ uni: 1, class: 'neu-view wx' }); './neu/x'`, []],
  ['comments', `// uni supports this\n/* wx\n too */\nuni.navigateBack()`, []],
])('finds the modules for %s', (_, code, modules) => {
  expect(neuModules(code)).toEqual(modules)
  if (modules.length > 0) expect(code).toMatch(mayNeedNeu)
})
