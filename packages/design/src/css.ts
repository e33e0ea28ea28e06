import { dark, elevation, fonts, light, type Palette, radius, space, type } from './tokens.ts'

/** Returns the tokens as CSS custom properties. `data-scheme` on the root element overrides the system's scheme. */
export function tokensCss(): string {
  const lightRules = scheme(light, elevation.light, 'light')
  const darkRules = scheme(dark, elevation.dark, 'dark')
  return [
    '/* Generated from tokens.ts by `npm run generate`. */',
    block(':root', [
      ...Object.entries(fonts).map(([name, stack]) => `--souk-font-${name}: ${stack};`),
      ...Object.entries(type).flatMap(([name, { size, line, weight }]) => [
        `--souk-type-${name}: ${weight} ${size}rem / ${line}rem var(--souk-font-text);`,
        `--souk-size-${name}: ${size}rem;`,
      ]),
      ...Object.entries(space).map(([step, size]) => `--souk-space-${step}: ${size}rem;`),
      ...Object.entries(radius).map(([name, size]) => `--souk-radius-${name}: ${size}px;`),
    ]),
    block(':root', lightRules),
    `@media (prefers-color-scheme: dark) {\n${indent(block(":root:not([data-scheme='light'])", darkRules))}\n}`,
    block(":root[data-scheme='dark']", darkRules),
    '',
  ].join('\n')
}

function scheme(palette: Palette, shadows: { low: string; high: string }, name: 'light' | 'dark'): string[] {
  return [
    `color-scheme: ${name};`,
    ...Object.entries(palette).map(([role, color]) => `--souk-${kebab(role)}: ${color.toLowerCase()};`),
    ...Object.entries(shadows).map(([step, shadow]) => `--souk-elevation-${step}: ${shadow};`),
  ]
}

function block(selector: string, rules: readonly string[]): string {
  return `${selector} {\n${rules.map((rule) => `  ${rule}`).join('\n')}\n}`
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ')
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
