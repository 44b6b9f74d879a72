import { type Static, Type } from 'typebox'
import { AddressView, type PostalAddress } from '#shared/geo/address.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { Customer } from './customer.ts'

/** An entry of a customer's address book. At most one is the default for shipping, and one for billing. */
export class CustomerAddress extends StoreModel {
  static override tableName = 'customer_addresses'
  static override jsonAttributes = ['address']

  declare customerId: string
  declare address: PostalAddress
  declare isDefaultShipping: boolean
  declare isDefaultBilling: boolean
  declare createdAt: Date
  declare updatedAt: Date
}

/** The most entries of an address book. */
export const MAX_ADDRESSES = 100

const DEFAULTS_FIRST = [
  { column: 'is_default_shipping', order: 'desc' },
  { column: 'is_default_billing', order: 'desc' },
  { column: 'created_at', order: 'desc' },
  { column: 'id', order: 'desc' },
] as const

/** Returns a customer's address book: the defaults first, then the newest. */
export const listCustomerAddresses = async (tx: StoreTx, customerId: string): Promise<CustomerAddress[]> =>
  CustomerAddress.in(tx)
    .where('customer_id', customerId)
    .orderBy([...DEFAULTS_FIRST])

/** Returns the first address of each customer's book, by the id of the customer. */
export async function findFirstAddresses(
  tx: StoreTx,
  customerIds: string[],
): Promise<Map<string, PostalAddress>> {
  const entries = await CustomerAddress.in(tx)
    .distinctOn('customer_id')
    .whereRaw('customer_id = any(?)', [customerIds])
    .orderBy(['customer_id', ...DEFAULTS_FIRST])
  return new Map(entries.map(({ customerId, address }) => [customerId, address]))
}

/** The purposes for which an address is the default. */
export interface Defaults {
  isDefaultShipping?: boolean
  isDefaultBilling?: boolean
}

/** Locks an address book, because two concurrent changes must not both find no default. */
export const lockAddressBook = (tx: StoreTx, customerId: string) =>
  Customer.in(tx).findById(customerId).forNoKeyUpdate()

/** Clears these defaults of the customer's addresses, before another address gets them. */
export async function clearDefaults(
  tx: StoreTx,
  customerId: string,
  { isDefaultShipping, isDefaultBilling }: Defaults,
): Promise<void> {
  if (isDefaultShipping) await unsetDefault(tx, customerId, { isDefaultShipping: false })
  if (isDefaultBilling) await unsetDefault(tx, customerId, { isDefaultBilling: false })
}

const unsetDefault = (tx: StoreTx, customerId: string, unset: Defaults) =>
  CustomerAddress.in(tx).where('customer_id', customerId).patch(unset)

/** An entry of the address book: an address in the form of checkout, with its defaults. */
export const CustomerAddressView = Shape({
  id: Uuid,
  ...AddressView.properties,
  is_default_shipping: Type.Boolean(),
  is_default_billing: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const viewCustomerAddress = (entry: CustomerAddress): Static<typeof CustomerAddressView> => ({
  id: entry.id,
  ...entry.address,
  is_default_shipping: entry.isDefaultShipping,
  is_default_billing: entry.isDefaultBilling,
  created_at: toTimestamp(entry.createdAt),
  updated_at: toTimestamp(entry.updatedAt),
})
