import { type CustomerAddress, MAX_ADDRESSES } from '#shared/customers/customer-address.ts'
import type { PostalAddress } from '#shared/geo/address.ts'
import type { CustomerRow } from './read-customer-row.ts'

/** An address to add to an address book. */
export interface PlannedAddress {
  address: PostalAddress
  isDefaultShipping: boolean
  isDefaultBilling: boolean
}

/**
 * Returns the address that a row adds to an address book; null if the book has it, and `full` if the book is full.
 * Entries of the book never change. The first address becomes the default for shipping and billing.
 */
export function planCustomerAddress(
  { address }: CustomerRow,
  book: CustomerAddress[],
): PlannedAddress | 'full' | null {
  if (!address || book.some((entry) => isEqual(entry.address, address))) return null
  if (book.length >= MAX_ADDRESSES) return 'full'
  const isFirst = book.length === 0
  return { address, isDefaultShipping: isFirst, isDefaultBilling: isFirst }
}

const FIELDS: (keyof PostalAddress)[] = [
  ...(['firstname', 'lastname', 'company', 'address_1', 'address_2'] as const),
  ...(['city', 'postcode', 'country', 'zone', 'telephone'] as const),
]

const isEqual = (one: PostalAddress, other: PostalAddress): boolean =>
  FIELDS.every((field) => (one[field] ?? '') === (other[field] ?? ''))
