import type { InjectionKey } from 'vue'

export interface SwiperSlot {
  root(): HTMLElement | null
  itemId(): string | undefined
}

/** Items register with their swiper, which positions them. */
export const swiperKey: InjectionKey<{ add(item: SwiperSlot): void; remove(item: SwiperSlot): void }> =
  Symbol('souk.swiper')
