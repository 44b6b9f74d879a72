import { type Customer, findCustomer } from '#shared/customers/customer.ts'
import { listCustomerAddresses } from '#shared/customers/customer-address.ts'
import { listSessions } from '#shared/identity/sessions/session.ts'
import { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Return } from '#shared/returns/return.ts'
import { Subscription } from '#shared/subscriptions/subscription.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { countWishlist } from '#shared/wishlist/list-wishlist.ts'

const LATEST = 10

/** What a customer bought. */
interface LatestSales {
  orders: Order[]
  returns: Return[]
  subscriptions: Subscription[]
  vouchers: Voucher[]
}

export interface CustomerRecord {
  customer: Customer
  addresses: Awaited<ReturnType<typeof listCustomerAddresses>>
  sessions: Awaited<ReturnType<typeof listSessions>>
  /** Null for a reader who may not see sales. */
  sales: LatestSales | null
  wishlistSize: number
}

/**
 * Returns a customer with the address book and the open sessions; with `seesSales`, also with the latest orders,
 * returns, subscriptions and gift vouchers. Throws `resource.not_found`.
 */
export async function readRecord(
  tx: StoreTx,
  id: string,
  { seesSales }: { seesSales: boolean },
): Promise<CustomerRecord> {
  const customer = await findCustomer(tx, id)
  return {
    customer,
    addresses: await listCustomerAddresses(tx, id),
    sessions: await listSessions(tx, { type: 'customer', id }),
    sales: seesSales ? await readLatestSales(tx, id) : null,
    wishlistSize: await countWishlist(tx, id),
  }
}

const readLatestSales = async (tx: StoreTx, customerId: string): Promise<LatestSales> => ({
  orders: await Order.in(tx).where('customer_id', customerId).orderBy(NEWEST).limit(LATEST),
  returns: await Return.in(tx).where('customer_id', customerId).orderBy(NEWEST).limit(LATEST),
  subscriptions: await Subscription.in(tx).where('customer_id', customerId).orderBy(NEWEST).limit(LATEST),
  vouchers: await Voucher.in(tx)
    .whereIn('order_id', Order.in(tx).where('customer_id', customerId).select('id'))
    .orderBy(NEWEST)
    .limit(LATEST),
})

const NEWEST = [
  { column: 'created_at', order: 'desc' },
  { column: 'id', order: 'desc' },
] as const satisfies { column: string; order: 'desc' }[]
