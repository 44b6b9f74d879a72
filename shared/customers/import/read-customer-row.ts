import { Check } from 'typebox/schema'
import type { Customer } from '#shared/customers/customer.ts'
import type { PostalAddress } from '#shared/geo/address.ts'
import { normalizeEmail } from '#shared/identity/email.ts'
import { CellReader, type FileSettings } from '#shared/imports/file/cell-reader.ts'
import type { CsvRecord } from '#shared/imports/file/csv-record.ts'
import { type RowNote, rowFault } from '#shared/imports/file/row-note.ts'
import { isShort, shortFault, widthFault } from '#shared/imports/file/row-width.ts'
import { CONTROL_CHARACTERS, Email } from '#shared/platform/http/schema.ts'
import type { CustomerColumn, CustomerHeader, CustomerReader } from './columns.ts'
import { readCustomerAddress } from './read-customer-address.ts'

/** The settings for reading a customer file. */
export interface CustomerFileSettings extends FileSettings<CustomerHeader> {
  /** The languages of the store. */
  languages: readonly string[]
  /** The default language of the store. Names of countries can be in it. */
  language: string
}

/** A customer of a file. A blank cell is null, and the customer keeps the value. */
export interface CustomerRow {
  line: number
  email: string
  /** The normalized e-mail address. */
  emailNormalized: string
  cells: { [Field in ImportedField]: Customer[Field] | null }
  /** The id of the group, or its name in any language. */
  group: { id: string | null; name: string | null }
  address: PostalAddress | null
  notes: RowNote[]
}

/** The fields of a customer that a file sets. It never sets the e-mail address, the password or the verification. */
export const IMPORTED_FIELDS = [
  'firstname',
  'lastname',
  'telephone',
  'language',
  'isActive',
  'acceptsMarketing',
  'taxExempt',
  'taxNumber',
  'note',
] as const
type ImportedField = (typeof IMPORTED_FIELDS)[number]

/** Reads a row and the e-mail address that identifies its customer. Returns a fault if the row cannot be imported. */
export function readCustomerRow(
  record: CsvRecord,
  file: CustomerFileSettings,
): { row: CustomerRow; key: string } | { fault: RowNote } {
  const row = readRow(record, file)
  return 'email' in row ? { row, key: row.emailNormalized } : { fault: withoutValue(row) }
}

function readRow(record: CsvRecord, file: CustomerFileSettings): CustomerRow | RowNote {
  const { cells, line, fault } = record
  if (fault !== undefined) return rowFault(line, null, fault)
  const tooWide = widthFault(record, file.header)
  if (tooWide) return tooWide
  const reader = new CellReader<CustomerColumn, CustomerHeader>(cells, line, file)
  const email = readEmail(reader)
  const read = {
    cells: {
      firstname: readName(reader, 'firstname', 100),
      lastname: readName(reader, 'lastname', 100),
      telephone: reader.code('telephone', 40),
      language: readLanguage(reader, file),
      isActive: reader.boolean('is_active'),
      acceptsMarketing: reader.boolean('accepts_marketing'),
      taxExempt: reader.boolean('tax_exempt'),
      taxNumber: reader.code('tax_number', 50),
      note: reader.text('note', 5_000),
    },
    group: { id: reader.text('customer_group_id', 100), name: reader.text('customer_group', 255) },
    address: readCustomerAddress(reader, file.language),
  }
  const [first] = reader.faults
  if (first || email === null)
    return first && !isShort(record, file.header) ? first : shortFault(record, file.header)
  return {
    line,
    email,
    emailNormalized: normalizeEmail(email),
    ...read,
    notes: reader.warnings.map(withoutValue),
  }
}

/**
 * Removes the value from a note. Reports are kept, so they must not contain personal data; line and column identify the
 * cell.
 */
const withoutValue = (note: RowNote): RowNote => ({ ...note, value: null })

function readEmail(reader: CustomerReader): string | null {
  const email = reader.text('email', 254)
  if (email === null) {
    if (reader.faults.length === 0)
      reader.fault('email', 'The e-mail address is missing. It identifies the customer')
    return null
  }
  return Check(Email, email) ? email : reader.fault('email', 'Write an e-mail address like ada@example.com')
}

/** Reads a name on one line, because mails contain it. */
function readName(reader: CustomerReader, column: CustomerColumn, maxLength: number): string | null {
  const name = reader.text(column, maxLength)
  return name !== null && UNSAFE.test(name) ? reader.fault(column, 'Write the name on one line') : name
}

const UNSAFE = new RegExp(`[${CONTROL_CHARACTERS}]`, 'u')

function readLanguage(reader: CustomerReader, { languages }: CustomerFileSettings): string | null {
  const language = reader.text('language', 35)
  if (language === null || languages.includes(language)) return language
  reader.warn(
    'language',
    `The languages of the store are ${languages.join(', ')}. The language is not imported`,
    language,
  )
  return null
}
