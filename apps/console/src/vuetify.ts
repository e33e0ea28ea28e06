import {
  mdiAlertCircle,
  mdiArrowDown,
  mdiArrowUp,
  mdiCheck,
  mdiCheckboxBlankOutline,
  mdiCheckboxMarked,
  mdiCheckCircle,
  mdiChevronDown,
  mdiChevronLeft,
  mdiChevronRight,
  mdiChevronUp,
  mdiClose,
  mdiCloseCircle,
  mdiInformation,
  mdiMenuDown,
  mdiMinus,
  mdiMinusBox,
  mdiPageFirst,
  mdiPageLast,
  mdiPaperclip,
  mdiPlus,
  mdiRadioboxBlank,
  mdiRadioboxMarked,
} from '@mdi/js'
import { dark, light, type Palette } from '@souk/design'
import { fillIn } from '@souk/web'
import { type Ref, ref } from 'vue'
import { createVuetify, type LocaleInstance } from 'vuetify'
import { mdi } from 'vuetify/iconsets/mdi-svg'
import { useFormat } from './i18n/format.ts'
import { findText, locale } from './i18n/index.ts'

/** Icons of the Vuetify components in use. Vuetify's own table has those of all its components. */
const aliases = {
  success: mdiCheckCircle,
  info: mdiInformation,
  warning: mdiAlertCircle,
  error: mdiCloseCircle,
  close: mdiClose,
  clear: mdiCloseCircle,
  delete: mdiCloseCircle,
  complete: mdiCheck,
  collapse: mdiChevronUp,
  expand: mdiChevronDown,
  tableGroupCollapse: mdiChevronDown,
  tableGroupExpand: mdiChevronRight,
  dropdown: mdiMenuDown,
  first: mdiPageFirst,
  prev: mdiChevronLeft,
  next: mdiChevronRight,
  last: mdiPageLast,
  sortAsc: mdiArrowUp,
  sortDesc: mdiArrowDown,
  checkboxOn: mdiCheckboxMarked,
  checkboxOff: mdiCheckboxBlankOutline,
  checkboxIndeterminate: mdiMinusBox,
  radioOn: mdiRadioboxMarked,
  radioOff: mdiRadioboxBlank,
  plus: mdiPlus,
  minus: mdiMinus,
  file: mdiPaperclip,
}

/** Returns the palette of @souk/design under Vuetify's color names. */
function theme(palette: Palette, isDark: boolean) {
  return {
    dark: isDark,
    colors: {
      background: palette.background,
      'on-background': palette.text,
      surface: palette.surface,
      'on-surface': palette.text,
      'surface-light': palette.surfaceMuted,
      'surface-bright': palette.surface,
      'surface-variant': isDark ? palette.surfaceMuted : palette.text,
      'on-surface-variant': isDark ? palette.text : palette.background,
      primary: palette.primary,
      'on-primary': palette.onPrimary,
      secondary: palette.primaryContainer,
      'on-secondary': palette.onPrimaryContainer,
      accent: palette.accent,
      'on-accent': palette.onAccent,
      success: palette.success,
      'on-success': palette.onSuccess,
      warning: palette.warning,
      'on-warning': palette.onWarning,
      error: palette.error,
      'on-error': palette.onError,
      info: palette.info,
      'on-info': palette.onInfo,
    },
    variables: {
      'border-color': palette.text,
      'border-opacity': isDark ? 0.2 : 0.14,
      'high-emphasis-opacity': 1,
      // Muted text has its own color with sufficient contrast; Vuetify would use opacity.
      'medium-emphasis-opacity': 0.78,
      'theme-code': palette.surfaceMuted,
      'theme-on-code': palette.text,
      'theme-kbd': palette.surfaceMuted,
      'theme-on-kbd': palette.text,
    },
  }
}

/** Gives Vuetify its texts, whose keys start with `$vuetify`, and numbers in the current language. */
const vuetifyLocale: LocaleInstance = {
  name: 'souk',
  current: locale as Ref<string>,
  fallback: ref('en'),
  messages: ref({}),
  decimalSeparator: ref('.'),
  numericGroupSeparator: ref(','),
  t(key, ...params) {
    const [feature = '', ...path] = key.split('.')
    return findText(feature, path.join('.'), { ...params }) ?? fillIn(key, { ...params })
  },
  n: (value) => useFormat().number(value),
  provide: () => vuetifyLocale,
}

/** Keeps hints visible: hiding them on blur would move the button below, and the click on it would be lost. */
const field = { variant: 'outlined', density: 'comfortable', color: 'primary', persistentHint: true }

/** Creates Vuetify. `nonce` allows its generated style sheet under the content security policy. */
export function vuetify(nonce: string | undefined, scheme: 'light' | 'dark' | 'system') {
  return createVuetify({
    locale: { adapter: vuetifyLocale },
    icons: { defaultSet: 'mdi', aliases, sets: { mdi } },
    theme: {
      defaultTheme: scheme,
      themes: { light: theme(light, false), dark: theme(dark, true) },
      ...(nonce ? { cspNonce: nonce } : {}),
    },
    display: { mobileBreakpoint: 'md' },
    defaults: {
      VAlert: { variant: 'tonal', rounded: 'lg' },
      VBtn: { rounded: 'lg' },
      VCard: { variant: 'flat', border: true, rounded: 'lg' },
      VCombobox: field,
      VFileInput: field,
      VCheckbox: { color: 'primary', hideDetails: 'auto' },
      VDialog: { maxWidth: 560, scrollable: true },
      VChip: { size: 'small', rounded: 'md' },
      VNumberInput: { ...field, controlVariant: 'stacked' },
      VSelect: field,
      VAutocomplete: field,
      VSwitch: { color: 'primary', inset: true, hideDetails: 'auto' },
      VTextField: field,
      VTextarea: field,
      VTooltip: { openDelay: 300 },
    },
  })
}
