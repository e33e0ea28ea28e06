// Modules of a project may ask before there is an app; so may those that pages share with main.js.
const { uniPlatform } = neu.getSystemInfoSync()

export const early = [
  neu.getStorageSync('nothing'),
  uniPlatform,
  neu.upx2px(750) > 0,
  getCurrentPages(),
  typeof getApp(),
]
