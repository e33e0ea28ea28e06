import { shallowReactive } from 'vue'

/** What the bars and overlays say themselves. */
export interface Labels {
  back: string
  home: string
  forward: string
  share: string
  favorite: string
  menu: string
  close: string
  /** Of a button that shows nothing but a font icon. */
  button: string
  search: string
  tabs: string
  /** What a red dot means. */
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

/** Whether the other languages have been asked for. */
let isRequested = false

/**
 * The words of a language (BCP 47); English where there are none, and until they are there. Nobody sees them: they name what has no text,
 * so that an app's first page need not wait for them.
 */
export function labelsFor(language: string): Labels {
  const found = labels[language.slice(0, 2).toLowerCase()]
  if (!found && !isRequested) {
    isRequested = true
    import('./translatedLabels.ts').then(
      ({ translatedLabels }) => Object.assign(labels, translatedLabels satisfies Record<string, Labels>),
      // English it stays: a bar without its names is no failure of the mini app, whose onError would hear of it.
      () => {},
    )
  }
  return found ?? labels.en!
}
