// Spreadsheets run cells that start with these characters as formulas, also in full width (OWASP, "CSV Injection").
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/
const GUARDED_FORMULA = /^'+[=+\-@\t\r\n＝＋－＠]/

/**
 * Puts an apostrophe before a text that a spreadsheet would run as a formula, so that the spreadsheet shows it. A text
 * with an apostrophe gets another one, so that `unguardCell` restores every text.
 */
export const guardCell = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** Removes the apostrophe of `guardCell`. */
export const unguardCell = (text: string): string => (GUARDED_FORMULA.test(text) ? text.slice(1) : text)

const EDGES = /^'*\s|\s$/

/**
 * Guards a text also if it starts or ends with a space, because readers of CSV remove these. `unguardText` restores the
 * text.
 */
export const guardText = (text: string): string =>
  FORMULA.test(text) || EDGES.test(text) ? `'${text}` : text

/** Removes the apostrophe of `guardText`, or the spaces around a text without one. */
export function unguardText(text: string): string {
  const isGuarded = text.startsWith("'") && (GUARDED_FORMULA.test(text) || EDGES.test(text.slice(1)))
  return isGuarded ? text.slice(1) : unguardCell(text.trim())
}

// Spreadsheets drop leading zeros, round after 15 digits, and read an E between digits as a power of ten.
const NUMBER_LIKE = /^'|^0\d+$|^\d{12,}$|^\d+E\d+$/i

/** Guards a SKU or barcode also if a spreadsheet would change it to another number. `unguardCode` restores it. */
export const guardCode = (code: string): string => (NUMBER_LIKE.test(code) ? `'${code}` : guardText(code))

/** Removes one apostrophe before a SKU or barcode, or the spaces around it. */
export const unguardCode = (code: string): string => {
  const text = code.startsWith("'") ? code : code.trim()
  return text.startsWith("'") ? text.slice(1) : text
}
