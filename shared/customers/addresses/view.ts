import { type Static, Type } from 'typebox'
import { AddressView } from '#shared/geo/address.ts'
import { Shape, Timestamp, toTimestamp, Uuid } from '#shared/platform/http/schema.ts'
import type { CustomerAddress } from './customer-address.ts'

/** An entry of the address book: an address as checkout takes it, and what it is the default for. */
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
