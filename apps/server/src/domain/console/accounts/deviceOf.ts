/** Browsers by their token in User-Agent. Those that contain the token of another one come before it. */
const browsers: readonly [string, RegExp][] = [
  ['WeChat', /\bMicroMessenger\//],
  ['Microsoft Edge', /\bEdg(?:|A|iOS)\//],
  ['Opera', /\b(?:OPR|OPX|OPT)\//],
  ['Samsung Internet for Android', /\bSamsungBrowser\//],
  ['Huawei Browser', /\bHuaweiBrowser\//],
  ['Miui', /\bMiuiBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['Yandex Browser', /\bYaBrowser\//],
  ['QQ Browser', /\bM?QQBrowser\//],
  ['UC Browser', /\bUCBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chromium', /\bChromium\//],
  ['Chrome', /\b(?:Chrome|HeadlessChrome|CriOS)\//],
  ['Safari', /\bSafari\//],
]

/** Phones also name the system that theirs is like. */
const systems: readonly [string, RegExp][] = [
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Android', /\bAndroid\b/],
  ['Chrome OS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]

/** Returns the names of the browser and the system that a header User-Agent names, or null for unknown ones. */
export function deviceOf(userAgent: string | null | undefined): { browser: string | null; system: string | null } {
  return { browser: nameIn(browsers, userAgent ?? ''), system: nameIn(systems, userAgent ?? '') }
}

const nameIn = (names: readonly [string, RegExp][], userAgent: string) =>
  names.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null
