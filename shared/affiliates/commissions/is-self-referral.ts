import type { Affiliate } from '#shared/affiliates/affiliate.ts'
import { findCustomer } from '#shared/customers/customer.ts'
import { listCustomerAddresses } from '#shared/customers/customer-address.ts'
import type { PostalAddress } from '#shared/geo/address.ts'
import { normalizeEmail } from '#shared/identity/email.ts'
import { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { foldCase } from '#shared/platform/text.ts'

/**
 * Whether an affiliate placed an order themselves: as the same customer, with the same e-mail address, or with one of
 * their billing addresses under any name. Their addresses are in their address book and on their orders.
 */
export async function isSelfReferral(tx: StoreTx, { customerId }: Affiliate, order: Order): Promise<boolean> {
  if (order.customerId === customerId) return true
  const { emailNormalized } = await findCustomer(tx, customerId)
  if (normalizeEmail(order.email) === emailNormalized) return true
  const book = (await listCustomerAddresses(tx, customerId)).map(({ address }) => address)
  const orders = await Order.in(tx)
    .where('customer_id', customerId)
    .select('billing_address')
    .limit(MAX_ORDERS)
  const own = new Set([...book, ...orders.map(({ billingAddress }) => billingAddress)].map(normalizeAddress))
  return own.has(normalizeAddress(order.billingAddress))
}

const MAX_ORDERS = 1_000

/** Returns the normalized form in which addresses are compared. */
const normalizeAddress = ({ address_1, address_2, postcode, country }: PostalAddress): string =>
  [address_1, address_2 ?? '', postcode, country]
    .map((part) => foldCase(part).replace(/[\s.,]+/g, ''))
    .join('|')
