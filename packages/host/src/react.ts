import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { EmbedCard, MiniAppElement, MiniAppEventMap } from './index.ts'

/** Attributes of `<souk-mini-app>` in JSX. React 19 adds the properties that start with `on` as event listeners. */
export interface MiniAppAttributes
  extends Omit<DetailedHTMLProps<HTMLAttributes<MiniAppElement>, MiniAppElement>, 'onready' | 'onclose'> {
  appid: string
  page?: string | undefined
  card?: EmbedCard | undefined
  onready?: (event: MiniAppEventMap['ready']) => void
  onfailed?: (event: MiniAppEventMap['failed']) => void
  onclose?: (event: MiniAppEventMap['close']) => void
  onappearance?: (event: MiniAppEventMap['appearance']) => void
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'souk-mini-app': MiniAppAttributes
    }
  }
}
