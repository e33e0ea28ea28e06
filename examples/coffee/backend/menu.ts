import type { Currency, Language } from '@souk/sdk'

/** The currency of all prices. */
export const currency: Currency = 'SAR'

export interface Drink {
  /** The mini app has the picture at `static/drinks/<id>.svg`. */
  id: string
  /** In cents. */
  price: number
  name: Record<Language, string>
  note: Record<Language, string>
}

export const menu: readonly Drink[] = [
  {
    id: 'saudi-coffee',
    price: 1800,
    name: { en_US: 'Saudi coffee', zh_CN: '沙特咖啡', ar_SA: 'قهوة سعودية' },
    note: { en_US: 'Cardamom, saffron, a date', zh_CN: '小豆蔻、藏红花、一颗椰枣', ar_SA: 'هيل وزعفران وتمرة' },
  },
  {
    id: 'espresso',
    price: 900,
    name: { en_US: 'Espresso', zh_CN: '浓缩咖啡', ar_SA: 'إسبريسو' },
    note: { en_US: 'Short and dark', zh_CN: '短小浓郁', ar_SA: 'قصيرة وداكنة' },
  },
  {
    id: 'cortado',
    price: 1200,
    name: { en_US: 'Cortado', zh_CN: '可塔朵', ar_SA: 'كورتادو' },
    note: { en_US: 'Half coffee, half milk', zh_CN: '一半咖啡，一半牛奶', ar_SA: 'نصف قهوة ونصف حليب' },
  },
  {
    id: 'cappuccino',
    price: 1500,
    name: { en_US: 'Cappuccino', zh_CN: '卡布奇诺', ar_SA: 'كابتشينو' },
    note: { en_US: 'A cap of foam and cocoa', zh_CN: '奶泡与可可粉', ar_SA: 'رغوة وكاكاو' },
  },
  {
    id: 'latte',
    price: 1600,
    name: { en_US: 'Latte', zh_CN: '拿铁', ar_SA: 'لاتيه' },
    note: { en_US: 'Mild, in a tall glass', zh_CN: '温和，高杯盛装', ar_SA: 'خفيفة في كأس طويلة' },
  },
  {
    id: 'iced-latte',
    price: 1800,
    name: { en_US: 'Iced latte', zh_CN: '冰拿铁', ar_SA: 'لاتيه مثلّج' },
    note: { en_US: 'Cold milk on ice', zh_CN: '冰块与冷牛奶', ar_SA: 'حليب بارد على الثلج' },
  },
  {
    id: 'karak',
    price: 1000,
    name: { en_US: 'Karak tea', zh_CN: '卡拉克奶茶', ar_SA: 'شاي كرك' },
    note: { en_US: 'Black tea, milk, spices', zh_CN: '红茶、牛奶、香料', ar_SA: 'شاي أسود وحليب وبهارات' },
  },
  {
    id: 'lemon-mint',
    price: 1400,
    name: { en_US: 'Lemon and mint', zh_CN: '柠檬薄荷', ar_SA: 'ليمون بالنعناع' },
    note: { en_US: 'No coffee at all', zh_CN: '不含咖啡', ar_SA: 'بلا قهوة' },
  },
]

export const isDrink = (id: unknown): boolean => menu.some((drink) => drink.id === id)

/** Returns the drink of an order. Drinks are never removed from this list, because old orders refer to them. */
export function drinkOf(id: string): Drink {
  return menu.find((drink) => drink.id === id)!
}
