import { type Platform, readPages } from '@souk/pages'
import { errorsPage } from '../../packages/contract/src/reference.ts'
import { specificationLinks } from '../../packages/pages/generate.ts'
import { galleryPage } from '../../packages/pages/src/rules/gallery.ts'
import { type ErrorLanguage, errorLists, errorTextsIn } from './.vitepress/errors/texts.ts'
import { examples } from './.vitepress/reference/examples.ts'
import { drawingOf } from './.vitepress/theme/gallery/drawing.ts'

/**
 * Generates the gallery, which marks the attributes that its own drawings do not show, the translated lists of errors,
 * and the pages.json of the reference's examples.
 */
export default function generate(): Record<string, string> {
  return {
    'docs/generated/pages-gallery.md': galleryPage(specificationLinks(), drawingText),
    'docs/zh/generated/errors.md': errorsPageIn('zh'),
    'docs/ar/generated/errors.md': errorsPageIn('ar'),
    'apps/docs/examples/pages.json': `${JSON.stringify(pagesOfExamples(), undefined, 2)}\n`,
  }
}

const errorsPageIn = (language: ErrorLanguage) =>
  errorsPage(errorLists[language], (code) => errorTextsIn(language, code), '../..')

/** Styles that examples need. */
const styles: Readonly<Record<string, object>> = {
  'pages/neu/startPullDownRefresh': { enablePullDownRefresh: true },
  'pages/neu/getSubNVueById': {
    'app-plus': {
      subNVues: [
        { id: 'menu', path: 'pages/neu/getCurrentSubNVue', style: { width: '60%', height: '200px', top: '0px' } },
      ],
    },
  },
}

/** On H5 only. They are shown by the example that shows them. */
const sideWindows = Object.fromEntries(
  Object.entries({ top: { height: '48px' }, left: { width: '240px' }, right: { width: '200px' } }).map(
    ([side, style]) => [`${side}Window`, { path: `windows/${side}.vue`, style, matchMedia: { minWidth: 10_000 } }],
  ),
)

/** Returns a pages.json with a page for each example, whose title is its name. */
function pagesOfExamples(): object {
  const launch = 'pages/neu/showToast'
  const paths = examples.filter(({ isPage }) => isPage).map(({ path }) => path)
  const [first, second] = ['pages/neu/setTabBarItem', 'pages/more/cart']
  return {
    globalStyle: { navigationBarBackgroundColor: '#ffffff', navigationBarTextStyle: 'black' },
    pages: [launch, ...paths.filter((path) => path !== launch)].map((path) => ({
      path,
      style: {
        navigationBarTitleText: path
          .replace(/\/index$/, '')
          .split('/')
          .at(-1),
        ...styles[path],
      },
    })),
    ...sideWindows,
    tabBar: {
      color: '#5f6470',
      selectedColor: '#0b6b63',
      backgroundColor: '#ffffff',
      midButton: { text: '+' },
      list: [
        { pagePath: first, text: 'Tea' },
        { pagePath: second, text: 'Cart' },
      ],
    },
  }
}

const drawingText = (text: string, platform: Platform) => JSON.stringify(drawingOf(readPages(text), platform))
