import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CustomerAddress } from './customer-address.ts'

/** A customer's address book: the defaults first, then the newest. */
export const listAddresses = async (tx: StoreTx, customerId: string): Promise<CustomerAddress[]> =>
  CustomerAddress.in(tx)
    .where('customer_id', customerId)
    .orderBy([
      { column: 'is_default_shipping', order: 'desc' },
      { column: 'is_default_billing', order: 'desc' },
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
