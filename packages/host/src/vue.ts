import type { DefineComponent } from 'vue'
import type { EmbedCard, MiniAppEventMap } from './index.ts'

/** Attributes of `<souk-mini-app>` in Vue templates. */
export interface MiniAppAttributes {
  appid: string
  page?: string | undefined
  card?: EmbedCard | undefined
  onReady?: (event: MiniAppEventMap['ready']) => void
  onFailed?: (event: MiniAppEventMap['failed']) => void
  onClose?: (event: MiniAppEventMap['close']) => void
  onAppearance?: (event: MiniAppEventMap['appearance']) => void
}

declare module 'vue' {
  interface GlobalComponents {
    'souk-mini-app': DefineComponent<MiniAppAttributes>
  }
}
