import { parseMinor } from '#shared/platform/money.ts'
import type { Column, Header } from './columns.ts'

/** The positions of the option columns. */
export const OPTION_PLACES = [1, 2, 3] as const

/** A fault in a row: the line, and the column and text of the faulty cell if it is one cell's. */
export interface RowFault {
  line: number
  field: string | null
  message: string
  value: string | null
}

const MAX_ECHO = 200

/** Creates a fault. Its value is shortened, and control characters are removed. */
export const rowFault = (line: number, field: Column | null, message: string, value = ''): RowFault => ({
  line,
  field,
  message,
  value:
    value === ''
      ? null
      : value
          .replace(/\p{Cc}+/gu, ' ')
          .slice(0, MAX_ECHO)
          .toWellFormed(),
})

// Exports put ' before such cells, so that spreadsheets do not run them as formulas.
const GUARDED = /^'[=+\-@]/

const MAX_INTEGER = 2_147_483_647
const MAX_AMOUNT_DIGITS = 12

/** Reads the cells of a row and collects their faults. A blank cell is null and no fault. */
export class CellReader {
  readonly line: number
  readonly faults: RowFault[] = []
  readonly #cells: string[]
  readonly #header: Header

  constructor(cells: string[], line: number, header: Header) {
    this.#cells = cells
    this.line = line
    this.#header = header
  }

  fault(column: Column, message: string, value = ''): null {
    this.faults.push(rowFault(this.line, column, message, value))
    return null
  }

  /** Whether the file has the column. */
  has(column: Column): boolean {
    return this.#header.at[column] !== undefined
  }

  isBlank(column: Column): boolean {
    return this.#raw(column) === ''
  }

  text(column: Column, maxLength: number): string | null {
    const text = this.#raw(column)
    if (text === '') return null
    if (text.includes('\0')) return this.fault(column, 'Holds a NUL character, which cannot be stored', text)
    if (text.length > maxLength) return this.fault(column, `Use at most ${maxLength} characters`, text)
    return text
  }

  /** An amount of the currency, in minor units. */
  amount(column: Column, currency: string): bigint | null {
    const text = this.#raw(column)
    if (text === '') return null
    const minor = parseMinor(text, currency)
    if (minor === null)
      return this.fault(column, `Write an amount in ${currency} like 1299.5, without other signs`, text)
    if (minor < 0n) return this.fault(column, 'A price is not below zero', text)
    if ((text.split('.')[0] ?? '').length > MAX_AMOUNT_DIGITS)
      return this.fault(column, 'The price is too large', text)
    return minor
  }

  /** A non-negative number, rounded. */
  wholeNumber(column: Column): number | null {
    const text = this.#raw(column)
    if (text === '') return null
    const number = /^-?\d{1,15}(\.\d+)?$/.test(text) ? Math.round(Number(text)) : Number.NaN
    if (Number.isNaN(number)) return this.fault(column, 'Write a number', text)
    if (number < 0) return this.fault(column, 'Use a number that is not below zero', text)
    if (number > MAX_INTEGER) return this.fault(column, `Use at most ${MAX_INTEGER}`, text)
    return number
  }

  /** One of the allowed words, case-insensitive. */
  word<W extends string>(column: Column, allowed: readonly W[]): W | null {
    const text = this.#raw(column)
    if (text === '') return null
    const word = text.toLowerCase() as W
    return allowed.includes(word) ? word : this.fault(column, `Write ${allowed.join(' or ')}`, text)
  }

  boolean(column: Column): boolean | null {
    const word = this.word(column, ['true', 'false'])
    return word === null ? null : word === 'true'
  }

  url(column: Column): string | null {
    const text = this.text(column, 2_048)
    if (text === null) return null
    const isUrl = URL.canParse(text) && /^https?:\/\/\S+$/i.test(text)
    return isUrl ? text : this.fault(column, 'Write a web address that begins with https:// or http://', text)
  }

  #raw(column: Column): string {
    const index = this.#header.at[column]
    const text = (index === undefined ? '' : (this.#cells[index] ?? '')).trim()
    return GUARDED.test(text) ? text.slice(1) : text
  }
}
