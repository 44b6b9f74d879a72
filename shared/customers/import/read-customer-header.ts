import { ImportFileErrors } from '#shared/imports/file/errors.ts'
import type { ColumnMapping, ImportFormat } from '#shared/imports/file/header.ts'
import { type KnownFormat, mapColumns, matchHeader } from '#shared/imports/file/match-header.ts'
import { CUSTOMER_COLUMNS, type CustomerColumn, type CustomerHeader } from './columns.ts'

const OWN = Object.fromEntries(CUSTOMER_COLUMNS.map((column) => [column, column])) as Record<
  CustomerColumn,
  CustomerColumn
>

const SHOPIFY_PERSON: Record<string, CustomerColumn> = {
  'First Name': 'firstname',
  'Last Name': 'lastname',
  Email: 'email',
  'Accepts Email Marketing': 'accepts_marketing',
  'Accepts Marketing': 'accepts_marketing',
  'Tax Exempt': 'tax_exempt',
  Note: 'note',
  Phone: 'telephone',
}

const SHOPIFY_ADDRESS: Record<string, CustomerColumn> = {
  Company: 'address_company',
  Address1: 'address_1',
  Address2: 'address_2',
  City: 'address_city',
  'Province Code': 'address_zone',
  'Country Code': 'address_country',
  Zip: 'address_postcode',
}

/** Shopify's customer export since 2022. The columns of the address start with `Default Address`. */
const SHOPIFY: Record<string, CustomerColumn> = {
  ...SHOPIFY_PERSON,
  ...Object.fromEntries(
    Object.entries(SHOPIFY_ADDRESS).map(([name, column]) => [`Default Address ${name}`, column]),
  ),
  'Default Address Phone': 'address_telephone',
}

const REQUIRED: CustomerColumn[] = ['email']

const FORMATS: KnownFormat<CustomerColumn>[] = [
  { format: 'own', title: 'the own format', names: OWN, required: REQUIRED },
  { format: 'shopify', title: "Shopify's customer export", names: SHOPIFY, required: REQUIRED },
  {
    format: 'shopify',
    title: "Shopify's former customer export",
    names: { ...SHOPIFY_PERSON, ...SHOPIFY_ADDRESS },
    required: REQUIRED,
  },
]

/**
 * Reads the first row of a customer file: finds its format and its columns. Throws `import.unknown_header` for a file
 * without a required column, and `import.unknown_column` for a mapped column that the file or the own format lacks.
 */
export function readCustomerHeader(cells: string[], mapping: ColumnMapping | null): CustomerHeader {
  if (!mapping) {
    const { format, at } = matchHeader(cells, FORMATS)
    return toHeader(cells, format, at)
  }
  const at = mapColumns(cells, mapping, OWN)
  if (at.email === undefined) throw ImportFileErrors.unknownHeader({ nearest: 'mapping', missing: 'email' })
  return toHeader(cells, 'mapped', at)
}

function toHeader(cells: string[], format: ImportFormat, at: CustomerHeader['at']): CustomerHeader {
  const names = cells.map((cell) => cell.trim())
  const read = new Set(Object.values(at))
  return { format, at, names, ignored: names.filter((name, index) => name && !read.has(index)) }
}
