import type { InjectionKey } from 'vue'

export interface SwiperSlot {
  root(): HTMLElement | null
  itemId(): string | undefined
}

/** Items tell their swiper that they are there; it places them. */
export const swiperKey: InjectionKey<{ add(item: SwiperSlot): void; remove(item: SwiperSlot): void }> =
  Symbol('souk.swiper')
