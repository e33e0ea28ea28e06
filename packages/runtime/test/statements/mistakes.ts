/** Statements with one mistake each, which must not compile. */

export function mistakes(): void {
  const query = uni.createSelectorQuery()
  // @ts-expect-error the name of the function
  uni.navigateto({ url: 'a' })
  // @ts-expect-error no address
  uni.navigateTo({})
  // @ts-expect-error no options
  uni.navigateTo()
  // @ts-expect-error the name of the option
  uni.navigateTo({ path: 'a' })
  // @ts-expect-error not a text
  uni.redirectTo({ url: 1 })
  // @ts-expect-error not an animation
  uni.navigateTo({ url: 'a', animationType: 'slide' })
  // @ts-expect-error not a number
  uni.navigateBack({ delta: '1' })
  // @ts-expect-error callbacks take functions
  uni.switchTab({ url: 'a', success: true })
  // @ts-expect-error not a version of mini apps
  uni.navigateToMiniProgram({ appId: 'a', envVersion: 'beta' })
  // @ts-expect-error the title is required
  uni.setNavigationBarTitle({})
  // @ts-expect-error one of two colors
  uni.setNavigationBarColor({ frontColor: 'white' })
  // @ts-expect-error not a style of text
  uni.setPageMeta({ backgroundTextStyle: 'gray' })
  // @ts-expect-error the index is required
  uni.setTabBarBadge({ text: '1' })
  // @ts-expect-error a text, not a number
  uni.setTabBarBadge({ index: 1, text: 1 })
  // @ts-expect-error the name of the option
  uni.hideTabBar({ animated: true })
  // @ts-expect-error in px, not a length
  uni.pageScrollTo({ scrollTop: '10px' })
  // @ts-expect-error a selector is a text
  query.select(1)
  // @ts-expect-error several elements
  query.selectAll('a').boundingClientRect((rects) => rects.width)
  // @ts-expect-error an element has no such property
  query.select('a').boundingClientRect((rect) => rect.heigth)
  // @ts-expect-error the result has no such property
  uni.createIntersectionObserver().observe('a', (result) => result.ratio)
  // @ts-expect-error no such property of an animation
  uni.createAnimation().fontSize(2)
  // @ts-expect-error options are an object
  uni.login('weixin')
  // @ts-expect-error the result has no such property
  uni.login().then(({ token }) => token)
  // @ts-expect-error not a service
  uni.getProvider({ service: 'maps' })
  // @ts-expect-error not an amount
  uni.requestPayment({ tradeNo: 'T1', amount: true })
  // @ts-expect-error not a method
  uni.request({ url: 'a', method: 'FETCH' })
  // @ts-expect-error headers are named `header`
  uni.request({ url: 'a', headers: {} })
  // @ts-expect-error not a number
  uni.request({ url: 'a', timeout: '10s' })
  // @ts-expect-error a task has no such method
  uni.request({ url: 'a', success() {} }).cancel()
  // @ts-expect-error progress has no such property
  uni.downloadFile({ url: 'a' }).onProgressUpdate(({ percent }) => percent)
  // @ts-expect-error data is required
  uni.sendSocketMessage({})
  // @ts-expect-error takes a listener
  uni.onSocketMessage({ success() {} })
  // @ts-expect-error the key is a text
  uni.setStorageSync(1, 'a')
  // @ts-expect-error the key is required
  uni.getStorage({})
  // @ts-expect-error not an icon
  uni.showToast({ title: 'a', icon: 'info' })
  // @ts-expect-error a title is a text
  uni.showToast({ title: 7 })
  // @ts-expect-error not a position
  uni.showToast({ title: 'a', position: 'middle' })
  // @ts-expect-error the name of the option
  uni.showModal({ title: 'a', message: 'b' })
  // @ts-expect-error the result has no such property
  uni.showModal({ title: 'a', success: ({ confirmed }) => confirmed })
  // @ts-expect-error the list is required
  uni.showActionSheet({ title: 'a' })
  // @ts-expect-error a list of texts
  uni.showActionSheet({ itemList: [{ text: 'a' }] })
  // @ts-expect-error a list of addresses
  uni.previewImage({ urls: 'a.png' })
  // @ts-expect-error not an indicator
  uni.previewImage({ urls: [], indicator: 'dots' })
  // @ts-expect-error the information has no such property
  uni.getSystemInfoSync().screenSize
  // @ts-expect-error a name of a function
  uni.canIUse()
  // @ts-expect-error not a function that takes options
  uni.addInterceptor('getStorageSync', { invoke() {} })
  // @ts-expect-error the options have no such property
  uni.addInterceptor('request', { invoke: ({ address }) => address })
  // @ts-expect-error a text
  uni.setClipboardData({ data: 1 })
  // @ts-expect-error not a strength
  uni.vibrateShort({ type: 'strong' })
  // @ts-expect-error not a system of coordinates
  uni.getLocation({ type: 'bd09' })
  // @ts-expect-error the longitude is required
  uni.openLocation({ latitude: 1 })
  // @ts-expect-error true or false
  uni.setKeepScreenOn({ keepScreenOn: 'yes' })
  // @ts-expect-error the value is required
  uni.setScreenBrightness({ brightness: 1 })
  // @ts-expect-error not an interval
  uni.startGyroscope({ interval: 'fast' })
  // @ts-expect-error the reading has no such property
  uni.onCompassChange(({ angle }) => angle)
  // @ts-expect-error not a source
  uni.chooseImage({ sourceType: ['gallery'] })
  // @ts-expect-error not a kind of media
  uni.chooseMedia({ mediaType: ['photo'] })
  // @ts-expect-error not a camera
  uni.chooseVideo({ camera: 'rear' })
  // @ts-expect-error the path is required
  uni.saveImageToPhotosAlbum()
  // @ts-expect-error the source is required
  uni.loadFontFace({ family: 'Plain' })
  // @ts-expect-error not a type of picture
  uni.canvasToTempFilePath({ canvasId: 'a', fileType: 'gif' })
  // @ts-expect-error not an identifier
  uni.createVideoContext(1)
  // @ts-expect-error not a style of text
  uni.setBackgroundTextStyle({ textStyle: 'gray' })
  // @ts-expect-error the name of an event is a text
  uni.$on(() => {})
}
