export type Severity = 'error' | 'warning' | 'hint' | 'info'

/**
 * Every diagnostic code with its severity (ADR 103) and what it stands for. `error`: cannot work, or breaks a hard rule of the
 * document; `warning`: will not do what it seems to; `hint`: works, but better otherwise; `info`: good to know. Codes are stable.
 */
export const codes = {
  // The form of the file.
  'syntax-empty': ['error', 'The file is empty.'],
  'syntax-comma-missing': ['error', 'A comma is missing.'],
  'syntax-comma-extra': ['error', 'A comma too many.'],
  'syntax-colon-missing': ['error', 'A colon is missing.'],
  'syntax-colon-extra': ['error', 'A colon too many.'],
  'syntax-key-missing': ['error', 'A value without a key.'],
  'syntax-value-missing': ['error', 'A key without a value.'],
  'syntax-bracket-open': ['error', 'A bracket is not closed.'],
  'syntax-bracket-extra': ['error', 'A bracket closes nothing.'],
  'syntax-string-open': ['error', 'A text is not closed.'],
  'syntax-quotes': ['error', 'A key or text is not in double quotes.'],
  'syntax-escape': ['error', 'An escape that JSON does not have.'],
  'syntax-control-character': ['error', 'A control character inside a text.'],
  'syntax-number': ['error', 'Not a number of JSON.'],
  'syntax-character': ['error', 'A character without meaning.'],
  'syntax-comment-open': ['error', 'A comment is not closed.'],
  'syntax-comment-form': ['error', 'A comment in a form that JSON does not have.'],
  'syntax-after-end': ['error', "Something after the end of the file's value."],
  'syntax-depth': ['error', 'Nested too deeply.'],
  'key-duplicate': ['warning', 'A key stands twice in an object.'],

  // Conditional comments.
  'conditional-unbalanced': ['error', 'A conditional comment lacks its counterpart.'],
  'conditional-expression': ['error', 'A condition cannot be read.'],
  'conditional-name': ['warning', 'No build has this name.'],
  'conditional-unknown': ['warning', 'Not a conditional comment.'],

  // Any attribute.
  'type-wrong': ['error', 'A value of the wrong type.'],
  'value-unknown': ['warning', 'A value outside the allowed ones.'],
  'value-undocumented': ['info', 'A value that the document does not give.'],
  'value-range': ['error', 'A number outside the allowed range.'],
  'value-theme': ['info', 'A variable of a theme.'],
  'color-form': ['warning', 'Not a colour in an allowed form.'],
  'color-short': ['hint', 'A colour in its short form.'],
  'size-form': ['warning', 'Not a size in an allowed form.'],
  'key-required': ['error', 'A required attribute is missing.'],
  'key-unknown': ['warning', 'A key that nothing knows.'],
  'key-misplaced': ['warning', 'A key that belongs elsewhere.'],
  'key-ecosystem': ['info', 'A key outside the document that its ecosystem knows.'],
  'key-platform': ['warning', 'An attribute that works in none of the builds that see it.'],
  'key-no-effect': ['warning', 'An attribute that another one makes ineffective.'],
  'key-too-new': ['warning', 'An attribute newer than the target version.'],

  // Pages.
  'pages-empty': ['error', 'No pages.'],
  'page-duplicate': ['error', 'A page is listed twice.'],
  'page-path': ['error', 'A path that cannot be that of a page.'],
  'page-path-form': ['hint', 'A page path not of the form pages/<dir>/<name>.'],
  'page-file-missing': ['error', 'A page without its file.'],
  'page-nvue-attribute': ['warning', 'An attribute that nvue pages do not support.'],

  // Navigation bar and window.
  'bar-hidden': ['warning', 'Settings of a navigation bar that is not shown.'],
  'bar-contrast': ['warning', 'A title that can hardly be read on its bar.'],
  'bar-title-image': ['hint', 'A title that an image replaces.'],
  'badge-long': ['warning', 'A corner mark of more than three characters.'],
  'icon-escape': ['error', 'A font icon written with \\e.'],
  'font-network': ['warning', 'A font from the network.'],
  'image-network': ['warning', 'An image from the network where one of the project is meant.'],
  'image-missing': ['warning', 'An image or font that is not in the project.'],
  'refresh-precedence': ['warning', 'enablePullDownRefresh against pullToRefresh.support.'],

  // Tabs.
  'tab-count': ['error', 'Fewer than 2 or more than 5 tabs.'],
  'tab-page-unknown': ['error', 'A tab whose page is not in pages.'],
  'tab-page-duplicate': ['warning', 'Two tabs with the same page.'],
  'tab-icon-network': ['error', 'A tab icon from the network.'],
  'tab-icon-form': ['error', 'A tab icon that is no image file.'],
  'tab-icon-size': ['warning', 'A tab icon over 40 KB.'],
  'tab-icon-font': ['hint', 'An image that a font icon replaces.'],
  'mid-button-odd': ['warning', 'A middle button among an odd number of tabs.'],
  'mid-button-page': ['warning', 'A middle button with a page.'],

  // Sub-windows, side windows.
  'sub-window-id': ['error', 'Two sub-windows with the same id.'],
  'sub-window-incomplete': ['warning', 'A sub-window without id or path.'],
  'sub-window-path': ['warning', 'A sub-window outside the folder of its page.'],
  'sub-window-file-missing': ['error', 'A sub-window without its file.'],
  'window-incomplete': ['warning', 'A side window without a path.'],
  'window-file-missing': ['error', 'A side window without its file.'],
  'window-absent': ['hint', 'A switch for a window that the file does not have.'],

  // Components, start modes.
  'easycom-direct': ['hint', 'Rules directly under easycom.'],
  'easycom-pattern': ['error', 'Not a regular expression.'],
  'easycom-group': ['warning', 'A group that the expression does not have.'],
  'easycom-target': ['warning', 'A target that is no .vue file.'],
  'easycom-file-missing': ['warning', 'A target that is not in the project.'],
  'condition-current': ['warning', 'A start mode that the list does not have.'],
  'condition-page-unknown': ['warning', 'A start mode whose page is not in pages.'],
} as const satisfies Record<string, readonly [Severity, string]>

export type Code = keyof typeof codes
