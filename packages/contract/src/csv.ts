/**
 * Characters before which an apostrophe is put at the start of a cell: those that start a formula, also in their
 * full-width forms, white space that spreadsheets skip before one, and the apostrophe, so that the escaping is
 * reversible.
 */
export const csvEscapedStarts = "\t\n\r'=+-@＝＋－＠"

/**
 * Pattern, also for PostgreSQL, of a separator inside a text, and of a character behind it that needs an apostrophe
 * between them. Where `;` or tabs separate cells, as in half of Europe, spreadsheets ignore quotes in the
 * middle of a cell, so that the rest of the text becomes a cell or row of its own. Commas do not end a quoted cell.
 */
export const csvInnerFormula = /([;\t\r\n])(['=+@＝＋－＠-])/g

/**
 * Puts apostrophes into a text where a spreadsheet would run a formula. Removing one apostrophe at the start and behind
 * each separator restores it.
 */
export function escapeFormulas(text: string): string {
  const escaped = text.replace(csvInnerFormula, "$1'$2")
  return escaped !== '' && csvEscapedStarts.includes(escaped.charAt(0)) ? `'${escaped}` : escaped
}

/** Escapes `;` in JSON, which only strings contain, so that no spreadsheet starts a cell behind it. */
export function escapeJsonFormulas(json: string): string {
  return json.replaceAll(';', '\\u003b')
}

/** Writes a cell of CSV. Texts are quoted if they contain a quote, a line break, or a separator of any spreadsheet. */
export function csvCell(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
