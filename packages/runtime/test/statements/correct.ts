/** Statements of mini apps, written from the reference of the functions. All of them must compile. */

const { log } = console
declare const component: object

export async function navigation(): Promise<void> {
  uni.navigateTo({ url: '/pages/detail/detail?id=1' })
  uni.navigateTo({ url: 'detail', animationType: 'pop-in', animationDuration: 300 })
  uni.navigateTo({ url: 'detail', events: { picked: (id: number) => log(id) } })
  uni.navigateTo({ url: 'detail', success: ({ eventChannel }) => eventChannel.emit('opened', { at: 1 }) })
  const { eventChannel } = await uni.navigateTo({ url: 'detail' })
  eventChannel.on('done', (value: string) => log(value))
  uni.redirectTo({ url: '/pages/sign/sign', fail: ({ errMsg }) => log(errMsg.length) })
  uni.reLaunch({ url: '/pages/home/home', complete: () => log('done') })
  await uni.switchTab({ url: '/pages/home/home' })
  uni.navigateBack()
  uni.navigateBack({ delta: 2, animationType: 'slide-out-right' })
  await uni.preloadPage({ url: '/pages/detail/detail' })
  uni.navigateToMiniProgram({ appId: 'a1', path: 'pages/a/a?x=1', extraData: { from: 'shop' }, envVersion: 'trial' })
  wx.exitMiniProgram()
  neu.restartMiniProgram({ path: 'pages/a/a' })
  neu.launchApp({ url: 'bank://pay' }).catch((error: unknown) => log(error))
}

export function bars(): void {
  uni.setNavigationBarTitle({ title: 'Orders' })
  uni.setNavigationBarColor({ frontColor: '#ffffff', backgroundColor: '#07c160' })
  uni.setNavigationBarColor({ frontColor: '#000000', animation: { duration: 400, timingFunc: 'easeIn' } })
  uni.showNavigationBarLoading()
  uni.hideNavigationBarLoading({ complete: () => log('hidden') })
  uni.hideHomeButton()
  neu.setPageMeta({ pageStyle: 'overflow: hidden', backgroundTextStyle: 'dark', scrollTop: '100rpx' })
  const { width, bottom } = uni.getMenuButtonBoundingClientRect()
  log(width + bottom)
  uni.setTabBarItem({ index: 0, text: 'Home', iconPath: '/static/home.png', visible: true })
  uni.setTabBarStyle({ color: '#999', selectedColor: '#333', borderStyle: 'white', backgroundRepeat: 'no-repeat' })
  uni.setTabBarBadge({ index: 2, text: '99+' })
  uni.removeTabBarBadge({ index: 2 })
  uni.showTabBarRedDot({ index: 1 })
  uni.hideTabBarRedDot({ index: 1, success: () => log('ok') })
  uni.hideTabBar({ animation: true })
  uni.showTabBar()
  uni.onTabBarMidButtonTap(() => log('tapped'))
}

export async function pages(): Promise<void> {
  uni.startPullDownRefresh({ success: ({ errMsg }) => log(errMsg) })
  uni.stopPullDownRefresh()
  uni.requireNativePlugin('dom').scrollToElement(component, { offset: -20, animated: false })
  uni.requireNativePlugin('dom').getComponentRect('viewport', ({ size }) => log(size.width))
  uni.requireNativePlugin('Acme-Scanner').scan({ type: 'qr' })
  uni.pageScrollTo({ scrollTop: 0, duration: 300 })
  uni.pageScrollTo({ selector: '#end', offsetTop: -20 })
  uni
    .createSelectorQuery()
    .select('#box')
    .boundingClientRect((rect) => log(rect.width * 2))
    .exec()
  uni
    .createSelectorQuery()
    .selectAll('.row')
    .boundingClientRect((rects) => log(rects.length, rects[0]?.top))
    .exec()
  const query = uni.createSelectorQuery().in(component)
  query.selectViewport().scrollOffset(({ scrollTop }) => log(scrollTop.toFixed()))
  query.select('#box').fields({ size: true, dataset: true, computedStyle: ['color'] }, (data) => log(data.color))
  query.select('#pad').node(({ node }) => node.getContext('2d'))
  query.exec(([offset, data]) => log(offset.scrollTop, data.width))
  const observer = uni.createIntersectionObserver(component, { thresholds: [0, 0.5], observeAll: true })
  observer.relativeToViewport({ bottom: 50 }).observe('.card', ({ intersectionRatio, dataset, boundingClientRect }) => {
    log(intersectionRatio > 0.5, dataset.id, boundingClientRect.top)
  })
  observer.disconnect()
  uni
    .createIntersectionObserver()
    .relativeTo('.list')
    .observe('.card', (result) => log(result.time))
  uni.createMediaQueryObserver().observe({ minWidth: 600, orientation: 'landscape' }, ({ matches }) => log(!matches))
  const animation = uni.createAnimation({ duration: 400, timingFunction: 'ease-in-out', delay: 0 })
  animation.rotate(45).scale(2, 2).opacity(0.5).step({ duration: 200 })
  log(animation.export())
  uni.getSubNVueById('drawer').show('slide-in-left', 200)
}

export async function account(): Promise<void> {
  const { code } = await uni.login()
  uni.login({ provider: 'weixin', success: (result) => log(result.code + code), fail: (error) => log(error.errMsg) })
  await uni.checkSession()
  const { scope } = await neu.getAuthCode({ scope: ['user.info', 'user.phone'] })
  log(scope.split(','))
  neu.getPhoneNumber({ success: (result) => log(result.code) })
  uni.getUserProfile({ desc: 'Shown in the order', lang: 'en', success: ({ userInfo }) => log(userInfo.nickName) })
  uni.getUserInfo({ provider: 'weixin', withCredentials: false })
  const { provider } = await uni.getProvider({ service: 'oauth' })
  log(provider.length)
  const { status, failCode } = await neu.requestPayment({ tradeNo: 'T1', amount: '12.50', currency: 'SAR' })
  log(status === 2, failCode ?? 0)
  const { answer } = await uni.requestSubscribeMessage({ tmplIds: ['order'] })
  log(answer === 'accept')
}

export async function network(): Promise<void> {
  const answer = await uni.request({ url: 'https://api.example/orders', method: 'POST', data: { id: 1 } })
  log(answer.statusCode, answer.data.items[0], answer.header.etag)
  const task = uni.request({
    url: 'https://api.example/orders',
    header: { 'content-type': 'application/json', 'x-page': 2 },
    dataType: 'json',
    responseType: 'text',
    timeout: 10_000,
    sslVerify: false,
    withCredentials: true,
    success: ({ data, statusCode }) => log(data, statusCode),
    fail: (error) => log(error.errMsg),
  })
  task.onHeadersReceived(({ header }) => log(header['set-cookie']))
  task.abort()
  const upload = uni.uploadFile({ url: 'https://api.example/files', filePath: 'blob:1', name: 'file', success() {} })
  upload.onProgressUpdate(({ progress, totalBytesSent }) => log(progress, totalBytesSent ?? 0))
  await uni.uploadFile({ url: 'https://api.example/files', files: [{ name: 'a', uri: 'blob:1' }], formData: { id: 1 } })
  const { tempFilePath } = await uni.downloadFile({ url: 'https://cdn.example/a.pdf', timeout: 5000 })
  const socket = uni.connectSocket({ url: 'wss://api.example/live', protocols: ['v1'], complete: () => {} })
  socket.onMessage(({ data }) => log(JSON.parse(data)))
  socket.send({ data: 'hello', fail: ({ errMsg }) => log(errMsg) })
  socket.close({ code: 1000, reason: tempFilePath })
  uni.onSocketOpen(() => uni.sendSocketMessage({ data: new ArrayBuffer(1) }))
  uni.onSocketClose(({ code, reason }) => log(code, reason))
  uni.closeSocket()
  uni.getNetworkType({ success: ({ networkType }) => log(networkType === 'wifi') })
  uni.onNetworkStatusChange(({ isConnected, networkType }) => log(isConnected, networkType))
  uni.offNetworkStatusChange()
}

export async function storage(): Promise<void> {
  uni.setStorageSync('cart', [{ id: 1 }])
  const cart: { id: number }[] = uni.getStorageSync('cart') || []
  uni.setStorage({ key: 'cart', data: cart, success: () => log('kept') })
  const { data } = await uni.getStorage({ key: 'cart' })
  uni.removeStorage({ key: 'cart' })
  uni.removeStorageSync('cart')
  uni.clearStorage()
  const { keys, currentSize, limitSize } = uni.getStorageInfoSync()
  log(data.length, keys.join(), currentSize < limitSize)
}

export async function overlays(): Promise<void> {
  uni.showToast({ title: 'Saved', icon: 'none', duration: 2000, mask: true, position: 'bottom' })
  uni.showToast({ title: 'Failed', icon: 'error', image: '/static/error.png' })
  uni.hideToast()
  uni.showLoading({ title: 'Loading', mask: true })
  uni.hideLoading()
  uni.showModal({ title: 'Delete?', content: 'This cannot be undone', success: ({ confirm }) => log(confirm) })
  const { content = '' } = await uni.showModal({ editable: true, placeholderText: 'Name', confirmColor: '#f00' })
  const { tapIndex } = await uni.showActionSheet({
    itemList: ['Edit', content],
    itemColor: '#000',
    popover: { top: 1 },
  })
  uni.previewImage({ urls: ['a.png', 'b.png'], current: tapIndex, indicator: 'number', loop: true })
  uni.previewImage({ urls: ['a.png'], current: 'a.png', longPressActions: { itemList: ['Save'] } })
  uni.hideModal({ complete: () => log('hidden') })
  uni.hideActionSheet()
  await uni.closePreviewImage()
  uni.previewMedia({ sources: [{ url: 'a.png', type: 'image' }], current: 0 })
}

export async function system(): Promise<void> {
  const info = uni.getSystemInfoSync()
  log(info.windowHeight - info.statusBarHeight, info.brand.toLowerCase(), info.safeAreaInsets.bottom, info.language)
  uni.getSystemInfo({ success: ({ platform, safeArea }) => log(platform === 'ios', safeArea.top) })
  const { uniPlatform, hostName } = uni.getAppBaseInfo()
  const { deviceType, deviceBrand } = uni.getDeviceInfo()
  log(uniPlatform, hostName, deviceType, deviceBrand, uni.getWindowInfo().windowTop)
  if (uni.canIUse('getUpdateManager')) uni.getUpdateManager().onUpdateReady(() => log('ready'))
  uni.getUpdateManager().onCheckForUpdate(({ hasUpdate }) => log(hasUpdate))
  uni.setLocale('ar')
  uni.onLocaleChange(({ locale }) => log(locale.startsWith('zh')))
  uni.onThemeChange(({ theme }) => log(theme === 'dark'))
  uni.onWindowResize(({ size }) => log(size.windowWidth))
  const { authSetting } = await uni.getSetting({ withSubscriptions: true })
  log(authSetting['scope.userLocation'] === true)
  uni.authorize({ scope: 'scope.userLocation', success() {} })
  uni.openSetting()
  log(uni.upx2px(750) + neu.rpx2px('20rpx'), wx.env.USER_DATA_PATH)
  const { miniProgram } = uni.getAccountInfoSync()
  const { query, referrerInfo, scene } = uni.getLaunchOptionsSync()
  log(miniProgram.appId, query.id, referrerInfo.appId ?? '', scene === 1037)
  uni.onAppShow(({ path }) => log(path))
  uni.onError((error) => log(error))
}

export function interceptors(): void {
  uni.addInterceptor('request', {
    invoke(options) {
      options.url = `https://api.example${options.url}`
      options.header = { ...options.header, authorization: 'token' }
    },
    success: ({ statusCode, data }) => log(statusCode, data),
    fail: ({ errMsg }) => log(errMsg),
    complete: (outcome) => log(outcome.errMsg),
  })
  uni.addInterceptor('navigateTo', { invoke: ({ url }) => !url.startsWith('/pages/admin') })
  uni.addInterceptor({ returnValue: (promise) => promise.then((value: unknown) => [null, value]) })
  uni.removeInterceptor('request')
  uni.$on('cart', (count: number) => log(count))
  uni.$once('cart', () => log('once'))
  uni.$emit('cart', 3, 'more')
  uni.$off('cart')
}

export async function device(): Promise<void> {
  uni.setClipboardData({ data: 'text', showToast: false })
  const { data } = await uni.getClipboardData()
  uni.makePhoneCall({ phoneNumber: data })
  uni.vibrateShort({ type: 'heavy' })
  uni.vibrateLong()
  const { result, scanType } = await uni.scanCode({ onlyFromCamera: true, scanType: ['qrCode'], sound: 'none' })
  uni.getLocation({ type: 'wgs84', isHighAccuracy: true, success: ({ latitude, speed }) => log(latitude, speed) })
  const place = await uni.chooseLocation({ latitude: 24.7, longitude: 46.7, keyword: 'mall' })
  uni.openLocation({ latitude: place.latitude, longitude: place.longitude, name: place.name, scale: 16 })
  const { level, isCharging } = await uni.getBatteryInfo()
  uni.getScreenBrightness({ success: ({ value }) => uni.setScreenBrightness({ value: value / 2 }) })
  uni.setKeepScreenOn({ keepScreenOn: level > 20 || isCharging })
  uni.hideKeyboard()
  uni.onKeyboardHeightChange(({ height }) => log(height))
  uni.share({ provider: 'weixin', scene: 'WXSceneSession', type: 0, title: result, href: 'https://shop.example' })
  uni.shareWithSystem({ type: 'text', summary: scanType })
  neu.shareMiniAppMessage({ title: 'Offer', path: 'pages/a/a', extraData: [1] })
  const card = await neu.invokeNativePlugin({ api_name: 'readCard', data: { timeout: 3 } })
  log(card.number)
  uni.startAccelerometer({ interval: 'game' })
  uni.onAccelerometerChange(({ x, y, z }) => log(x + y + z))
  uni.stopAccelerometer()
  uni.onCompassChange(({ direction }) => log(direction.toFixed()))
  uni.onMemoryWarning(({ level }) => log(level))
}

export async function files(): Promise<void> {
  const { tempFilePaths } = await uni.chooseImage({
    count: 1,
    sizeType: ['compressed'],
    sourceType: ['album', 'camera'],
  })
  uni.chooseImage({
    sizeType: 'original',
    crop: { width: 1, height: 1 },
    success: (chosen) => log(chosen.tempFiles[0]?.size),
  })
  const { width, orientation } = await uni.getImageInfo({ src: tempFilePaths[0] ?? '' })
  uni.compressImage({ src: 'blob:1', quality: 60, width: '50%', compressedWidth: width / 2 })
  uni.chooseVideo({ sourceType: ['camera'], maxDuration: 60, camera: 'back', success: ({ duration }) => log(duration) })
  const media = await uni.chooseMedia({ count: 9, mediaType: ['image', 'video'], sizeType: ['original'] })
  log(
    media.tempFiles.map(({ tempFilePath, fileType }) => tempFilePath + fileType),
    orientation,
  )
  uni.chooseFile({ count: 2, type: 'all', extension: ['.zip', '.pdf'] })
  wx.chooseMessageFile({ count: 1, type: 'file', success: (chosen) => log(chosen.tempFiles[0]?.name) })
  uni.getVideoInfo({ src: 'blob:1', success: ({ duration, height }) => log(duration, height) })
  uni.getFileInfo({ filePath: 'blob:1', digestAlgorithm: 'md5', success: ({ size }) => log(size) })
  uni.saveImageToPhotosAlbum({ filePath: 'blob:1' })
  uni.openDocument({ filePath: 'blob:1', fileType: 'pdf', showMenu: true })
  const { savedFilePath } = await uni.saveFile({ tempFilePath: 'blob:1' })
  const { fileList } = await uni.getSavedFileList()
  log(fileList.map(({ filePath, createTime }) => filePath + createTime))
  uni.removeSavedFile({ filePath: savedFilePath })
  const manager = uni.getFileSystemManager()
  manager.writeFile({
    filePath: `${wx.env.USER_DATA_PATH}/a.txt`,
    data: 'a',
    encoding: 'utf8',
    success: () => log('ok'),
  })
  log(manager.readFileSync(`${wx.env.USER_DATA_PATH}/a.txt`, 'utf8'))
  const sound = uni.createInnerAudioContext()
  sound.src = '/static/a.mp3'
  sound.obeyMuteSwitch = false
  sound.onError(({ errMsg, errCode }) => log(errMsg, errCode))
  sound.play()
  const music = uni.getBackgroundAudioManager()
  music.title = 'Song'
  music.src = 'https://cdn.example/a.mp3'
  const recorder = uni.getRecorderManager()
  recorder.start({ duration: 60_000, format: 'mp3', sampleRate: 16_000 })
  recorder.onStop(({ tempFilePath, duration }) => log(tempFilePath, duration))
  const video = uni.createVideoContext('film', component)
  video.seek(10)
  video.requestFullScreen({ direction: 90 })
  uni.createMapContext('map', component).moveToLocation({ latitude: 1, longitude: 2, success: () => log('moved') })
  const bytes = uni.base64ToArrayBuffer(uni.arrayBufferToBase64(new ArrayBuffer(8)))
  uni.loadFontFace({ global: true, family: 'Plain', source: 'url("/static/a.woff2")', desc: { style: 'italic' } })
  log(bytes.byteLength)
}

export async function canvas(): Promise<void> {
  const context = uni.createCanvasContext('pad', component)
  context.setFillStyle('#f00')
  context.fillRect(0, 0, 10, 10)
  context.draw(true, () => log('drawn'))
  uni.canvasToTempFilePath(
    { canvasId: 'pad', fileType: 'jpg', quality: 0.8, success: (r) => log(r.tempFilePath) },
    component,
  )
  const { data, width } = await uni.canvasGetImageData(
    { canvasId: 'pad', x: 0, y: 0, width: 10, height: 10 },
    component,
  )
  uni.canvasPutImageData({ canvasId: 'pad', x: 0, y: 0, width, data })
  wx.createOffscreenCanvas({ type: '2d', width: 100, height: 50 }).getContext('2d')?.fillRect(0, 0, 1, 1)
}

export async function more(): Promise<void> {
  uni.showLeftWindow({ success: () => log('shown') })
  uni.setLeftWindowStyle({ width: '300px', backgroundColor: '#fff' })
  log(uni.getTopWindowStyle().height)
  uni.setBackgroundColor({ backgroundColor: '#eee', backgroundColorTop: '#fff' })
  uni.setBackgroundTextStyle({ textStyle: 'dark' })
  uni.startLocationUpdate({ type: 'gcj02', success: () => log('on') })
  uni.onLocationChange(({ latitude, accuracy }) => log(latitude, accuracy))
  uni.onLocationChangeError(({ errMsg }) => log(errMsg))
  uni.stopLocationUpdate()
  const { start, end } = await uni.getSelectedTextRange()
  log(end - start)
}
