import type { CellReader } from '#shared/imports/file/cell-reader.ts'
import type { FileHeader } from '#shared/imports/file/header.ts'

/** The imported columns of the own format. Every other format is mapped to these. */
export const CUSTOMER_COLUMNS = [
  'email',
  'firstname',
  'lastname',
  'telephone',
  'language',
  'customer_group_id',
  'customer_group',
  'is_active',
  'accepts_marketing',
  'tax_exempt',
  'tax_number',
  'note',
  'address_firstname',
  'address_lastname',
  'address_company',
  'address_1',
  'address_2',
  'address_city',
  'address_postcode',
  'address_country',
  'address_zone',
  'address_telephone',
] as const

export type CustomerColumn = (typeof CUSTOMER_COLUMNS)[number]
export type CustomerHeader = FileHeader<CustomerColumn>

/** Reads the cells of a row of a customer file. */
export type CustomerReader = CellReader<CustomerColumn, CustomerHeader>
