// Defaults of pages.json. Generated from the rule table by npm run generate.

export const pageStyleDefaults = {
  navigationBarBackgroundColor: '#000000',
  navigationBarTextStyle: 'white',
  transparentTitle: 'none',
  onReachBottomDistance: 50,
  rpxCalcBaseDeviceWidth: 375,
  rpxCalcIncludeWidth: 750,
  animationType: 'pop-in',
  animationDuration: 300,
} as const

export const appPlusDefaults = {
  background: '#FFFFFF',
  softinputMode: 'adjustPan',
} as const

export const titleNViewDefaults = {
  type: 'default',
  titleOverflow: 'ellipsis',
  titleAlign: 'auto',
  titleIconRadius: '0px',
  subtitleSize: '12px',
  subtitleOverflow: 'ellipsis',
  homeButton: false,
  autoBackButton: true,
  backgroundRepeat: 'no-repeat',
  blurEffect: 'none',
  coverage: '132px',
} as const

export const splitLineDefaults = {
  color: '#CCCCCC',
  height: '1px',
} as const

export const backButtonDefaults = {
  background: 'rgba(128,128,128,0.5)',
  redDot: false,
  fontSize: '27px',
  fontWeight: 'normal',
  title: '',
  titleWeight: 'normal',
} as const

export const buttonDefaults = {
  type: 'none',
  background: 'rgba(128,128,128,0.5)',
  float: 'right',
  fontWeight: 'normal',
  width: '44px',
} as const

export const searchInputDefaults = {
  autoFocus: false,
  align: 'center',
  backgroundColor: 'rgba(255,255,255,0.5)',
  borderRadius: '0px',
  placeholderColor: '#CCCCCC',
  disabled: false,
} as const

export const tabBarDefaults = {
  blurEffect: 'none',
  fontSize: '10px',
  iconWidth: '24px',
  spacing: '3px',
  height: '50px',
} as const

export const midButtonDefaults = {
  width: '80px',
  height: '50px',
  iconWidth: '24px',
} as const

export const pullToRefreshDefaults = {
  color: '#2BD009',
  offset: '0px',
} as const

export const subNVueStyleDefaults = {
  position: 'absolute',
  dock: 'bottom',
  mask: 'rgba(0,0,0,0.5)',
  width: '100%',
  top: '0px',
  background: '#FFFFFF',
} as const
