// Values of pages.json. Generated from the rule table by npm run generate.

export const pageStyleValues = {
  navigationBarTextStyle: ['white', 'black'],
  transparentTitle: ['none', 'always', 'auto'],
} as const

export const titleNViewValues = {
  type: ['default', 'transparent', 'float'],
  titleOverflow: ['ellipsis', 'clip'],
  titleAlign: ['auto', 'center', 'left'],
  subtitleOverflow: ['ellipsis', 'clip'],
  backgroundRepeat: ['no-repeat', 'repeat', 'repeat-x', 'repeat-y'],
  blurEffect: ['none', 'dark', 'extralight', 'light'],
} as const

export const backButtonValues = {
  fontWeight: ['normal', 'bold'],
  titleWeight: ['normal', 'bold'],
} as const

export const buttonValues = {
  type: ['none', 'forward', 'back', 'share', 'favorite', 'home', 'menu', 'close'],
  float: ['right', 'left'],
  fontWeight: ['normal', 'bold'],
} as const

export const searchInputValues = {
  align: ['center', 'left', 'right'],
} as const

export const tabBarValues = {
  blurEffect: ['none', 'dark', 'extralight', 'light'],
} as const
