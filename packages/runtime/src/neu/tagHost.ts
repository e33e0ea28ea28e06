import { localPages } from '@souk/contract/bridge'
import type { NavigateOptions, OpenType, TagHost } from '@souk/tags/host'
import { currentCarrier } from '../carriers/current.ts'
import { rpxStyle } from '../page/rpx.ts'
import { formatUrl, parseUrl } from '../stack/address.ts'
import { currentApp } from '../stack/app.ts'
import { absoluteUrl } from './absoluteUrl.ts'
import type { ApiError } from './api.ts'
import { checkDomain } from './domains.ts'
import { loadServices } from './lazyServices.ts'
import { neu } from './start.ts'

const methodNames = {
  navigate: 'navigateTo',
  redirect: 'redirectTo',
  switchTab: 'switchTab',
  reLaunch: 'reLaunch',
  navigateBack: 'navigateBack',
} as const satisfies Record<Exclude<OpenType, 'exit'>, string>

/** Functions that tags call. */
export const tagHost: TagHost = {
  navigate(openType, url, options) {
    if (openType === 'exit') return currentCarrier().call('exitMiniApp', {})
    const move = neu[methodNames[openType]] as (options: { url: string } & NavigateOptions) => Promise<unknown>
    return move({ ...options, url })
  },
  preload(url) {
    const { environment, top } = currentApp()
    // If that fails, the navigation tries again.
    environment.load(parseUrl(url, top?.path).path).catch(() => {})
  },
  authorize: (scope) => neu.getAuthCode({ scope }),
  // Pages in a frame have no address.
  ...(__SOUK_PLATFORM__ === 'H5' && { href: (url) => `#${formatUrl(parseUrl(url, currentApp().top?.path))}` }),
  ...(__SOUK_PLATFORM__ !== 'H5' && {
    share: (dataset) => {
      loadServices().then(({ startSharing }) => startSharing({ from: 'button', target: { dataset } }), reportError)
    },
  }),
  assetUrl: absoluteUrl,
  css: rpxStyle,
  mapTiles: () => currentCarrier().mapTiles,
  locate: () =>
    neu.getLocation({}).catch(({ errMsg }: ApiError) => {
      throw new Error(errMsg)
    }),
  webViewUrl(url) {
    if (__SOUK_PLATFORM__ === 'H5') return url
    const local = localPageUrl(url.href)
    if (local) return local
    try {
      checkDomain('webView', url.href)
      return url
    } catch (error) {
      console.error(`web-view: ${(error as Error).message}`)
      return undefined
    }
  },
}

/**
 * Returns the URL of a page in `hybrid/html` of this app, which needs no approval; undefined for other pages. A server
 * frames those of a release under a path of their own.
 */
function localPageUrl(href: string): URL | undefined {
  const folder = new URL('.', document.baseURI).href
  if (!href.startsWith(folder) || !localPages.test(href.slice(folder.length))) return undefined
  return new URL(href.replace(/^(https?:\/\/[^/]+)\/mini\//, '$1/local-pages/'))
}
