import type { Static } from 'typebox'
import type { PostalAddress } from '#shared/geo/address.ts'
import type { CsvColumn, CsvFile } from '#shared/platform/csv/csv-file.ts'
import { exportList, fieldColumns } from '#shared/platform/csv/export-list.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Customer } from './customer.ts'
import { findFirstAddresses } from './customer-address.ts'
import { CUSTOMERS, type CustomerFilter, matchingCustomers } from './list-customers.ts'
import { type AdminCustomerView, viewAdminCustomer } from './view.ts'

type ExportedCustomer = Static<typeof AdminCustomerView> & { address: PostalAddress | null }

/** Returns a column of text that an import reads unchanged. */
const text = (name: 'email' | 'firstname' | 'lastname' | 'note'): CsvColumn<ExportedCustomer> => ({
  name,
  value: (customer) => customer[name],
  isExact: true,
})

/** Digits that a spreadsheet must not change. */
const code = (name: 'telephone' | 'tax_number'): CsvColumn<ExportedCustomer> => ({
  name,
  value: (customer) => customer[name],
  isCode: true,
})

const ofAddress = (name: string, field: keyof PostalAddress): CsvColumn<ExportedCustomer> => ({
  name,
  value: ({ address }) => address?.[field] ?? null,
  ...(field === 'postcode' || field === 'telephone' ? { isCode: true } : { isExact: true }),
})

/** `importCustomers` reads these columns except the figures and times. */
const COLUMNS: CsvColumn<ExportedCustomer>[] = [
  ...fieldColumns<ExportedCustomer>('id'),
  text('email'),
  text('firstname'),
  text('lastname'),
  code('telephone'),
  ...fieldColumns<ExportedCustomer>(
    ...(['language', 'customer_group_id', 'is_active', 'email_verified_at'] as const),
    ...(['accepts_marketing', 'tax_exempt'] as const),
  ),
  code('tax_number'),
  text('note'),
  ofAddress('address_firstname', 'firstname'),
  ofAddress('address_lastname', 'lastname'),
  ofAddress('address_company', 'company'),
  ofAddress('address_1', 'address_1'),
  ofAddress('address_2', 'address_2'),
  ofAddress('address_city', 'city'),
  ofAddress('address_postcode', 'postcode'),
  ofAddress('address_country', 'country'),
  ofAddress('address_zone', 'zone'),
  ofAddress('address_telephone', 'telephone'),
  ...fieldColumns<ExportedCustomer>(
    ...(['orders_count', 'total_spent', 'average_order', 'last_order_at'] as const),
    ...(['created_at', 'updated_at'] as const),
  ),
]

/** Returns the customers that match a filter as a CSV file, each with the first address of the book. */
export const exportCustomers = (tx: StoreTx, currency: string, filter: CustomerFilter): Promise<CsvFile> =>
  exportList(tx, {
    name: 'customers',
    matching: (page) => {
      const query = matchingCustomers(page, filter)
      CUSTOMERS.filter(query, filter)
      return query
    },
    async toViews(page, rows: Customer[]) {
      const addresses = await findFirstAddresses(
        page,
        rows.map(({ id }) => id),
      )
      return rows.map((customer) => ({
        ...viewAdminCustomer(customer, currency),
        address: addresses.get(customer.id) ?? null,
      }))
    },
    columns: COLUMNS,
  })
