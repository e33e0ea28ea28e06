import { shallowReactive } from 'vue'

/** Accessible names of bars and overlays. */
export interface Labels {
  back: string
  home: string
  forward: string
  share: string
  favorite: string
  menu: string
  close: string
  /** Name of a button that only shows a font icon. */
  button: string
  search: string
  tabs: string
  /** Name of a red dot. */
  unread: string
  loading: string
}

const labels = shallowReactive<Record<string, Labels>>({
  en: {
    back: 'Back',
    home: 'Home',
    forward: 'Forward',
    share: 'Share',
    favorite: 'Favorite',
    menu: 'Menu',
    close: 'Close',
    button: 'Button',
    search: 'Search',
    tabs: 'Tabs',
    unread: 'New',
    loading: 'Loading',
  },
})

/** True once the other languages have been requested. */
let isRequested = false

/**
 * Returns the labels for a BCP 47 language; English if there is no translation, and until it has loaded. Labels are
 * not visible, so an app's first page does not wait for them.
 */
export function labelsFor(language: string): Labels {
  const found = labels[language.slice(0, 2).toLowerCase()]
  if (!found && !isRequested) {
    isRequested = true
    import('./translatedLabels.ts').then(
      ({ translatedLabels }) => Object.assign(labels, translatedLabels satisfies Record<string, Labels>),
      // English until they are requested again: this is not an error of the mini app and must not reach its onError.
      () => {
        isRequested = false
      },
    )
  }
  return found ?? labels.en!
}
