import { unguardCode, unguardText } from '#shared/platform/csv/guard-cell.ts'
import { MAX_INT4 } from '#shared/platform/http/schema.ts'
import { isWebUrl, MAX_URL_LENGTH } from '#shared/platform/http/web-url.ts'
import { parseMinor } from '#shared/platform/money.ts'
import { columnNameIn, type FileHeader } from './header.ts'
import { type RowNote, rowFault, rowWarning } from './row-note.ts'

/** The settings for reading the cells of a file. */
export interface FileSettings<Header extends FileHeader = FileHeader> {
  header: Header
  /** The currency of the store. */
  currency: string
  /** Whether numbers are written like 1.299,50. */
  decimalComma: boolean
}

const MAX_AMOUNT_DIGITS = 12
const NUMBER = /^-?\d{1,15}(\.\d+)?$/
const HAS_DECIMAL_COMMA = /^\d{1,3}(\.\d{3})*,\d+$/
const TRUTH: Record<string, boolean> = { true: true, false: false, 1: true, 0: false, yes: true, no: false }

/** Reads the cells of a row and collects their faults and warnings. A blank cell is null, not a fault. */
export class CellReader<Column extends string, Header extends FileHeader<Column> = FileHeader<Column>> {
  readonly line: number
  readonly faults: RowNote[] = []
  readonly warnings: RowNote[] = []
  readonly #cells: string[]
  readonly #file: FileSettings<Header>

  constructor(cells: string[], line: number, file: FileSettings<Header>) {
    this.#cells = cells
    this.line = line
    this.#file = file
  }

  get header(): Header {
    return this.#file.header
  }

  /** The number of cells of the row. */
  get width(): number {
    return this.#cells.length
  }

  /** Adds a fault. Returns null, the value of a cell that cannot be read. */
  fault(column: Column, message: string, value = ''): null {
    this.faults.push(rowFault(this.line, columnNameIn(this.header, column), message, value))
    return null
  }

  warn(column: Column, message: string, value: string): void {
    this.warnings.push(rowWarning(this.line, columnNameIn(this.header, column), message, value))
  }

  /** Whether the file has the column. */
  has(column: Column): boolean {
    return this.header.at[column] !== undefined
  }

  isBlank(column: Column): boolean {
    return this.#cell(column).trim() === ''
  }

  text(column: Column, maxLength: number): string | null {
    return this.#check(column, unguardText(this.#cell(column)), maxLength)
  }

  /** Returns the text of the cell at a position. Faults name `column`. */
  textAt(index: number, column: Column, maxLength: number): string | null {
    return this.#check(column, unguardText(this.#cells[index] ?? ''), maxLength)
  }

  /** Returns a SKU or barcode. */
  code(column: Column, maxLength: number): string | null {
    const text = this.#check(column, unguardCode(this.#cell(column)), maxLength)
    if (text !== null && ROUNDED.test(text))
      this.warn(
        column,
        'A spreadsheet has rounded this code. Format the column as text, and enter the codes again',
        text,
      )
    return text
  }

  #check(column: Column, text: string, maxLength: number): string | null {
    if (text === '') return null
    if (text.includes('\0')) return this.fault(column, 'Remove the NUL character', text)
    if (text.length > maxLength) return this.fault(column, `Use at most ${maxLength} characters`, text)
    return text
  }

  /** Returns an amount in minor units of the currency. */
  amount(column: Column): bigint | null {
    const text = this.#plain(column)
    if (text === '') return null
    const { currency, decimalComma } = this.#file
    const decimal = this.#decimal(text)
    const minor = parseMinor(decimal, currency)
    if (minor === null) {
      const example = decimalComma ? '1299,5' : '1299.5'
      const hint = HAS_DECIMAL_COMMA.test(text)
        ? '. Import with decimal_comma=true if the file has decimal commas'
        : ''
      return this.fault(
        column,
        `Write an amount in ${currency} like ${example}, without other signs${hint}`,
        text,
      )
    }
    if (minor < 0n) return this.fault(column, 'Write an amount that is not below zero', text)
    const [digits = ''] = decimal.split('.')
    if (digits.length > MAX_AMOUNT_DIGITS)
      return this.fault(column, `Use at most ${MAX_AMOUNT_DIGITS} digits before the decimal point`, text)
    return minor
  }

  /** Returns a non-negative number times a factor, rounded. */
  wholeNumber(column: Column, factor = 1): number | null {
    const number = this.integer(column, factor)
    return number !== null && number < 0
      ? this.fault(column, 'Use a number that is not below zero', this.#plain(column))
      : number
  }

  /** Returns a number times a factor, rounded. */
  integer(column: Column, factor = 1): number | null {
    const text = this.#plain(column)
    if (text === '') return null
    const decimal = this.#decimal(text)
    const number = NUMBER.test(decimal) ? Math.round(Number(decimal) * factor) : Number.NaN
    if (Number.isNaN(number)) return this.fault(column, 'Write a number', text)
    if (Math.abs(number) > MAX_INT4) return this.fault(column, `Use at most ${MAX_INT4}`, text)
    return number
  }

  /** Returns one of the allowed words. Letter case does not matter. */
  word<W extends string>(column: Column, allowed: readonly W[]): W | null {
    const text = this.#plain(column)
    if (text === '') return null
    const word = text.toLowerCase() as W
    return allowed.includes(word) ? word : this.fault(column, `Write ${allowed.join(' or ')}`, text)
  }

  boolean(column: Column): boolean | null {
    const text = this.#plain(column)
    if (text === '') return null
    return TRUTH[text.toLowerCase()] ?? this.fault(column, 'Write true or false', text)
  }

  /** Returns a time in ISO 8601. Without a zone it is in UTC. */
  time(column: Column): Date | null {
    const text = this.#plain(column)
    if (text === '') return null
    const [, day, clock = '00:00', zone = 'Z'] = TIME.exec(text) ?? []
    const time = new Date(`${day}T${clock}${zone}`)
    if (day === undefined || Number.isNaN(time.getTime()))
      return this.fault(column, 'Write a time like 2026-12-31T23:00:00Z', text)
    return time
  }

  url(column: Column): string | null {
    const text = this.text(column, MAX_URL_LENGTH)
    if (text === null) return null
    return isWebUrl(text)
      ? text
      : this.fault(column, 'Write a web address that begins with https:// or http://', text)
  }

  /** Returns a number with a decimal point and without separators of thousands. */
  #decimal(text: string): string {
    return this.#file.decimalComma ? text.replaceAll('.', '').replace(',', '.') : text
  }

  /** Returns the text of a number or word, without spaces and without the guard against formulas. */
  #plain(column: Column): string {
    return this.#cell(column).trim().replace(/^'/, '')
  }

  #cell(column: Column): string {
    const index = this.header.at[column]
    return index === undefined ? '' : (this.#cells[index] ?? '')
  }
}

// Matches a long number that a spreadsheet has rewritten: 4.00638E+12, or with a decimal comma.
const ROUNDED = /^\d([.,]\d+)?E\+\d+$/i
const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/
