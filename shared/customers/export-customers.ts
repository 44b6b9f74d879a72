import type { Static } from 'typebox'
import type { CsvFile } from '#shared/platform/csv/csv-file.ts'
import { exportList, fieldColumns } from '#shared/platform/csv/export-list.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Customer } from './customer.ts'
import { CUSTOMERS, type CustomerFilter, matchingCustomers } from './list-customers.ts'
import { type AdminCustomerView, viewAdminCustomer } from './view.ts'

const COLUMNS = fieldColumns<Static<typeof AdminCustomerView>>(
  'id',
  'email',
  'firstname',
  'lastname',
  'telephone',
  'language',
  'customer_group_id',
  'is_active',
  'email_verified_at',
  'accepts_marketing',
  'tax_exempt',
  'tax_number',
  'note',
  'orders_count',
  'total_spent',
  'average_order',
  'last_order_at',
  'created_at',
  'updated_at',
)

/** The customers that match a filter as a CSV file. */
export const exportCustomers = (tx: StoreTx, currency: string, filter: CustomerFilter): Promise<CsvFile> =>
  exportList(tx, {
    name: 'customers',
    matching: (page) => {
      const query = matchingCustomers(page, filter)
      CUSTOMERS.filter(query, filter)
      return query
    },
    toViews: (_, rows: Customer[]) => rows.map((customer) => viewAdminCustomer(customer, currency)),
    columns: COLUMNS,
  })
