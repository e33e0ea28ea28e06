import type { Platform } from '../diagnostic.ts'

export type Os = 'Android' | 'iOS'

/** A build target. Only App distinguishes operating systems in conditional comments. */
export type Build = { readonly platform: Platform; readonly os?: Os; readonly defines: ReadonlySet<string> }

/** All build targets in the order of `platforms`, with the names that conditional comments test. */
export const builds: readonly Build[] = [
  { platform: 'H5', defines: new Set(['H5', 'WEB', 'VUE3']) },
  { platform: 'App', os: 'Android', defines: new Set(['APP', 'APP-PLUS', 'APP-VUE', 'APP-ANDROID', 'VUE3']) },
  { platform: 'App', os: 'iOS', defines: new Set(['APP', 'APP-PLUS', 'APP-VUE', 'APP-IOS', 'VUE3']) },
  { platform: 'Mini App', defines: new Set(['MP', 'MP-NEU', 'VUE3']) },
]

export const definedNames: ReadonlySet<string> = new Set(builds.flatMap(({ defines }) => [...defines]))

/** Builds of other tool chains: their blocks are excluded, but the names are not errors. */
export const foreignNames: ReadonlySet<string> = new Set([
  'VUE2',
  'VUE3-VAPOR',
  'UNI-APP-X',
  'APP-NVUE',
  'APP-UVUE',
  'APP-PLUS-NVUE',
  'APP-HARMONY',
  'MP-WEIXIN',
  'MP-ALIPAY',
  'MP-BAIDU',
  'MP-TOUTIAO',
  'MP-LARK',
  'MP-QQ',
  'MP-KUAISHOU',
  'MP-JD',
  'MP-360',
  'MP-XHS',
  'MP-DINGTALK',
  'MP-HARMONY',
  'QUICKAPP',
  'QUICKAPP-NATIVE',
  'QUICKAPP-WEBVIEW',
  'QUICKAPP-WEBVIEW-UNION',
  'QUICKAPP-WEBVIEW-HUAWEI',
])

/** Builds of other tool chains for one of the platforms, by name. */
export const foreignBuilds: ReadonlyMap<string, Build> = new Map(
  [...foreignNames].flatMap((name): [string, Build][] => {
    if (name.startsWith('MP-')) return [[name, { platform: 'Mini App', defines: new Set([name, 'MP']) }]]
    return name.startsWith('APP-') ? [[name, { platform: 'App', defines: new Set([name, 'APP']) }]] : []
  }),
)

/** Returns the build of a platform; `os` defaults to Android. */
export function buildOf(platform: Platform, os: Os = 'Android'): Build {
  return builds.find((build) => build.platform === platform && (build.os ?? os) === os)!
}
