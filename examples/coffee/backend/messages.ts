import type { Language } from '@souk/sdk'

/** Texts about an order that the host application shows. */
export interface Messages {
  /** Notification after payment. */
  paid(id: number): { title: string; text: string }
  /** Notification when the order can be collected. */
  ready(id: number): { title: string; text: string }
  /** Activity message while the order is being made, and when it is ready. */
  making(id: number): { title: string; text: string }
  waiting(id: number): { title: string; text: string }
}

export const messages: Record<Language, Messages> = {
  en_US: {
    paid: (id) => ({ title: 'Thank you', text: `Order ${id} is paid and being made.` }),
    ready: (id) => ({ title: 'Your coffee is ready', text: `Order ${id} is waiting at the counter.` }),
    making: (id) => ({ title: `Order ${id}`, text: 'Being made' }),
    waiting: (id) => ({ title: `Order ${id}`, text: 'Ready at the counter' }),
  },
  zh_CN: {
    paid: (id) => ({ title: '谢谢', text: `订单 ${id} 已付款，正在制作。` }),
    ready: (id) => ({ title: '您的咖啡好了', text: `订单 ${id} 请到柜台领取。` }),
    making: (id) => ({ title: `订单 ${id}`, text: '制作中' }),
    waiting: (id) => ({ title: `订单 ${id}`, text: '请到柜台领取' }),
  },
  ar_SA: {
    paid: (id) => ({ title: 'شكرًا لك', text: `تم دفع الطلب ${id} وهو قيد التحضير.` }),
    ready: (id) => ({ title: 'قهوتك جاهزة', text: `الطلب ${id} بانتظارك عند المنضدة.` }),
    making: (id) => ({ title: `الطلب ${id}`, text: 'قيد التحضير' }),
    waiting: (id) => ({ title: `الطلب ${id}`, text: 'جاهز عند المنضدة' }),
  },
}
