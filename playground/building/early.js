// Modules can call neu before the app exists, including modules that pages share with main.js.
const { uniPlatform } = neu.getSystemInfoSync()

export const early = [
  neu.getStorageSync('nothing'),
  uniPlatform,
  neu.upx2px(750) > 0,
  getCurrentPages(),
  typeof getApp(),
  // Libraries check for both before they use them.
  `${typeof localStorage} ${typeof sessionStorage}`,
]
