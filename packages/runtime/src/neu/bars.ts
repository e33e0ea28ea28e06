import { currentPage } from '../stack/app.ts'
import type { PageInstance } from '../stack/page.ts'
import type { Options } from './table/types.ts'

export async function setNavigationBarTitle({ title }: Options<'setNavigationBarTitle'>): Promise<void> {
  override({ title })
}

export async function setNavigationBarColor({
  frontColor,
  backgroundColor,
  animation,
}: Options<'setNavigationBarColor'>): Promise<void> {
  const { duration = 0, timingFunc = 'linear' } = animation ?? {}
  const front = frontColor?.toLowerCase()
  if (front !== undefined && front !== '#ffffff' && front !== '#000000')
    throw new Error(`invalid frontColor "${frontColor}": must be #ffffff or #000000`)
  override({
    ...(front && { frontColor: front }),
    ...(backgroundColor && { backgroundColor }),
    // CSS has the same names, with hyphens.
    colorTransition:
      duration > 0 ? `${duration}ms ${timingFunc.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}` : '',
  })
}

export async function showNavigationBarLoading(): Promise<void> {
  override({ isLoading: true })
}

export async function hideNavigationBarLoading(): Promise<void> {
  override({ isLoading: false })
}

export async function hideHomeButton(): Promise<void> {
  override({ homeButton: false })
}

function override(changes: PageInstance['overrides']): void {
  const page = currentPage()
  page.overrides = { ...page.overrides, ...changes }
}
