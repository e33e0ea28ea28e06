/** The pictures of the documentation, each in light and dark. */
export const pictureNames = [
  'alerts',
  'analytics',
  'approvals',
  'callback',
  'card',
  'cashier',
  'consent',
  'console',
  'dev',
  'embedded',
  'function-question',
  'health',
  'host',
  'host-functions',
  'inbox',
  'inspector',
  'members',
  'messages',
  'pages-editor',
  'providers',
  'release-review',
  'releases',
  'request',
  'rotate-secret',
  'sandbox',
  'trade',
] as const

export type PictureName = (typeof pictureNames)[number]

/** The picture that is shown where a link to a page is shared, and its size, px. */
export const socialPicture = 'social.jpg'
export const socialSize = { width: 1200, height: 630 }
