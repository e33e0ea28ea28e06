// Without the theme's font: the fonts of the system need no download.
export { default } from 'vitepress/theme-without-fonts'
