import { type FunctionalComponent, h } from 'vue'

// Strokes of 2 units in a 24 by 24 view box.
export const back = 'M15.5 4l-8 8 8 8'
export const select = 'M7 10l5 5 5-5'
const forward = 'M8.5 4l8 8-8 8'
/** Icons of buttons by type. */
export const buttonIcons = {
  back,
  forward,
  share: 'M12 15V3.5M8 7.5l4-4 4 4M7 11H5v9.5h14V11h-2',
  favorite: 'M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9-4.3-4.1 5.9-.8z',
  home: 'M3.5 11.5L12 4l8.5 7.5M6 9.5V20h4.5v-5.5h3V20H18V9.5',
  menu: 'M4 6.5h16M4 12h16M4 17.5h16',
  close: 'M5.5 5.5l13 13M18.5 5.5l-13 13',
}

/**
 * An icon of the bars, in the size and color of the text beside it. Directional icons are mirrored in right-to-left
 * text.
 */
export const Icon: FunctionalComponent<{ path: string }> = ({ path }) =>
  h(
    'svg',
    {
      class: ['neu-icon', (path === back || path === forward) && 'neu-icon-turns'],
      viewBox: '0 0 24 24',
      'aria-hidden': 'true',
    },
    h('path', { d: path }),
  )
Icon.props = ['path']
