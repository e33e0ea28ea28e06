export type Severity = 'error' | 'warning' | 'hint' | 'info'

/**
 * All diagnostic codes with severity (ADR 103) and meaning. `error`: cannot work, or violates a strict rule of
 * pages-json; `warning`: does not do what it seems to; `hint`: works, but could be better; `info`: additional
 * information. `runs`: an error that does not keep the mini app from running. Codes are stable.
 */
export const codes = {
  // Syntax.
  'syntax-empty': ['error', 'The file is empty.'],
  'syntax-comma-missing': ['error', 'A comma is missing.', 'runs'],
  'syntax-comma-extra': ['error', 'An extra comma.', 'runs'],
  'syntax-colon-missing': ['error', 'A colon is missing.'],
  'syntax-colon-extra': ['error', 'An extra colon.'],
  'syntax-key-missing': ['error', 'A value without a key.', 'runs'],
  'syntax-value-missing': ['error', 'A key without a value.'],
  'syntax-bracket-open': ['error', 'A bracket is not closed.'],
  'syntax-bracket-missing': ['error', 'An opening bracket is missing.'],
  'syntax-bracket-extra': ['error', 'A closing bracket without an opening one.'],
  'syntax-bracket-wrong': ['error', 'A closing bracket of the wrong kind.'],
  'syntax-string-open': ['error', 'A string is not closed.'],
  'syntax-quotes': ['error', 'A key or string is not in double quotes.'],
  'syntax-escape': ['error', 'An escape sequence that is not valid in JSON.'],
  'syntax-control-character': ['error', 'A control character in a string.'],
  'syntax-number': ['error', 'A number that is not valid in JSON.'],
  'syntax-character': ['error', 'An unexpected character.'],
  'syntax-comment-open': ['error', 'A comment is not closed.'],
  'syntax-comment-form': ['error', 'A comment in HTML syntax.'],
  'syntax-after-end': ['error', 'Content after the end of the root value.', 'runs'],
  'syntax-conflict': ['error', 'A marker line of an unresolved merge conflict.'],
  'syntax-depth': ['error', 'Nested too deeply.'],
  'key-duplicate': ['warning', 'A duplicate key.'],

  // Conditional comments.
  'conditional-unbalanced': ['error', 'A conditional comment without its counterpart.'],
  'conditional-expression': ['error', 'A condition that is not valid.'],
  'conditional-name': ['warning', 'An unknown build name.'],
  'conditional-unknown': ['warning', 'An unknown directive.'],
  'conditional-dropped': ['warning', 'A block that the build drops, without a branch for its platform.'],

  // Any attribute.
  'type-wrong': ['error', 'A value of the wrong type.'],
  'value-unknown': ['warning', 'A value that is not allowed.'],
  'value-undocumented': ['info', 'A value that pages-json does not define.'],
  'value-range': ['error', 'A number outside the allowed range.', 'runs'],
  'value-theme': ['info', 'A name of theme.json, where only pages.json is known.'],
  'value-locale': ['info', 'A name of locale/*.json, where only pages.json is known.'],
  'theme-name-missing': ['warning', 'A name that theme.json does not define.'],
  'locale-key-missing': ['warning', 'A name that a file of locale does not define.'],
  'locale-file-missing': ['warning', 'A language of manifest.json without a file in locale.'],
  'color-form': ['warning', 'A color in a format that is not allowed.'],
  'color-short': ['hint', 'A color in short notation.'],
  'size-form': ['warning', 'A size in a format that is not allowed.'],
  'key-required': ['error', 'A required attribute is missing.'],
  'key-unknown': ['warning', 'An unknown key.'],
  'key-misplaced': ['warning', 'A key that belongs in another object.'],
  'key-ecosystem': ['info', 'A key that is not part of pages-json, but known to other tools.'],
  'key-platform': ['warning', 'An attribute that does not work in the build, or in any build that contains it.'],
  'key-no-effect': ['warning', 'An attribute without effect, because of another one.'],
  'key-too-new': ['warning', 'An attribute newer than the target version.'],

  // Pages.
  'pages-empty': ['error', 'No pages.'],
  'page-duplicate': ['error', 'A page is listed twice.'],
  'page-path': ['error', 'A path that is not valid for a page.'],
  'page-path-form': ['hint', 'A page path that does not have the form pages/<dir>/<name>.'],
  'page-file-missing': ['error', 'A page without its file.'],
  'page-nvue-attribute': ['warning', 'An attribute that nvue pages do not support.'],

  // Navigation bar and window.
  'bar-hidden': ['warning', 'Settings of a navigation bar that is not shown.'],
  'bar-contrast': ['warning', 'A title that is hard to read on its bar.'],
  'bar-title-image': ['hint', 'A title that an image replaces.'],
  'badge-long': ['warning', 'A badge of more than three characters.'],
  'icon-escape': ['error', 'A font icon written with \\e.', 'runs'],
  'font-network': ['warning', 'A font from the network.'],
  'image-network': ['warning', 'An image from the network where a project file is required.'],
  'image-missing': ['warning', 'An image or font that is not in the project.'],
  'refresh-precedence': ['warning', 'pullToRefresh.support overrides enablePullDownRefresh.'],

  // Tabs.
  'tab-count': ['error', 'Fewer than 2 or more than 5 tabs.', 'runs'],
  'tab-page-unknown': ['error', 'A tab whose page is not in pages.'],
  'tab-page-duplicate': ['warning', 'Two tabs with the same page.'],
  'tab-icon-network': ['error', 'A tab icon from the network.', 'runs'],
  'tab-icon-form': ['error', 'A tab icon that is not an image file.', 'runs'],
  'tab-icon-size': ['warning', 'A tab icon over 40 KB.'],
  'tab-icon-font': ['hint', 'An image that a font icon replaces.'],
  'tab-bar-custom': ['warning', 'A component in the place of the tab bar that is not found, or not used.'],
  'mid-button-odd': ['warning', 'A middle button with an odd number of tabs.'],
  'mid-button-page': ['warning', 'A middle button with a page.'],

  // Sub-windows, side windows.
  'sub-window-id': ['error', 'Two sub-windows with the same id.', 'runs'],
  'sub-window-incomplete': ['warning', 'A sub-window without id or path.'],
  'sub-window-path': ['warning', 'A sub-window outside the folder of its page.'],
  'sub-window-file-missing': ['error', 'A sub-window without its file.'],
  'window-incomplete': ['warning', 'A side window without a path.'],
  'window-file-missing': ['error', 'A side window without its file.'],
  'window-absent': ['hint', 'A switch for a window that the file does not define.'],

  // Components, start modes.
  'easycom-direct': ['hint', 'Rules directly under easycom.'],
  'easycom-pattern': ['error', 'A regular expression that is not valid.', 'runs'],
  'easycom-group': ['warning', 'A group that the expression does not have.'],
  'easycom-target': ['warning', 'A target that is not a .vue file.'],
  'easycom-file-missing': ['warning', 'A file or folder that does not exist.'],
  'component-file-missing': ['warning', 'A component in usingComponents without its file.'],
  'condition-current': ['warning', 'An index outside the list of start modes.'],
  'condition-page-unknown': ['warning', 'A start mode whose page is not in pages.'],
} as const satisfies Record<string, readonly [Severity, string, 'runs'?]>

export type Code = keyof typeof codes
