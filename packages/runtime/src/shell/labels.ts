import { shallowReactive } from 'vue'

/** What the bars and overlays say themselves. */
export interface Words {
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

const words = shallowReactive<Record<string, Words>>({
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
let isAsked = false

/**
 * The words of a language (BCP 47); English where there are none, and until they are there. Nobody sees them: they name what has no text,
 * so that an app's first page need not wait for them.
 */
export function wordsOf(language: string): Words {
  const found = words[language.slice(0, 2).toLowerCase()]
  if (!found && !isAsked) {
    isAsked = true
    import('./translatedLabels.ts').then(
      ({ otherWords }) => Object.assign(words, otherWords satisfies Record<string, Words>),
      // English it stays: a bar without its names is no failure of the mini app, whose onError would hear of it.
      () => {},
    )
  }
  return found ?? words.en!
}
