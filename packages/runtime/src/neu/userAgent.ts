import type { SystemName } from '@souk/shell/device/system'

/** Reads the model and the version of the operating system. Browsers may hide both. */
export function readUserAgent(ua: string, system: SystemName): { model: string; version: string } {
  if (system === 'iOS') {
    // An iPad has the user agent of a Mac.
    const model = /\((iPhone|iPad|iPod)\b/.exec(ua)?.[1] ?? (ua.includes('Macintosh') ? 'iPad' : 'PC')
    const version = /\bOS (\d+(?:_\d+)*) like\b/.exec(ua)?.[1] ?? /\bVersion\/([\d.]+)/.exec(ua)?.[1] ?? '0'
    return { model, version: version.replaceAll('_', '.') }
  }
  const [, version = '0'] = versions[system]?.exec(ua) ?? []
  if (system === 'HarmonyOS') return { model: '', version }
  if (system !== 'Android') return { model: 'PC', version: version.replaceAll('_', '.').replace(/\.0$/, '') }
  const parts = (/\(([^()]*)\)/.exec(ua)?.[1] ?? '').split(';').map((part) => part.trim())
  const at = parts.findIndex((part) => /^Android\b/.test(part))
  if (at < 0) return { model: 'PC', version: '0' }
  const model = parts
    .slice(at + 1)
    .find((part) => !/^(?:wv|Mobile|Tablet|rv:[\d.]+|[a-z]{2}(?:-[a-z]{2})?)$/i.test(part))
  return { model: (model ?? '').replace(/ Build\/.*/, ''), version }
}

const versions: { readonly [S in SystemName]?: RegExp } = {
  Android: /\bAndroid (\d[\d.]*)/,
  HarmonyOS: /\b(?:OpenHarmony|HarmonyOS) (\d[\d.]*)/,
  Windows: /\bWindows NT (\d[\d.]*)/,
  Mac: /\bMac OS X (\d[\d_.]*)/,
}

/** The first that matches counts, because the others imitate it. */
const browsers = {
  edge: /\bEdg\w*\/([\d.]+)/,
  opera: /\bOPR\/([\d.]+)/,
  firefox: /\b(?:Firefox|FxiOS)\/([\d.]+)/,
  chrome: /(?:Chrome|CriOS)\/([\d.]+)/,
  safari: /\bVersion\/([\d.]+)/,
}

/** Reads name and version of the browser; empty if they are not known. Names are those of uni-app. */
export function readBrowser(ua: string): { name: string; version: string } {
  for (const [name, pattern] of Object.entries(browsers)) {
    const [, version] = pattern.exec(ua) ?? []
    if (version) return { name, version }
  }
  return { name: '', version: '' }
}
