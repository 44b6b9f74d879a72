import type { PostalAddress } from '#shared/geo/address.ts'
import { StoreModel } from '#shared/platform/db/model.ts'

/** An entry of a customer's address book. One at most is the default for shipping, and one for billing. */
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
