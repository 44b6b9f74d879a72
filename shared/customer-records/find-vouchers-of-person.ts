import { isSameMailbox } from '#shared/identity/email.ts'
import { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findVouchersNaming } from '#shared/vouchers/find-vouchers-naming.ts'
import type { Voucher } from '#shared/vouchers/voucher.ts'
import type { Person } from './person.ts'

/**
 * Returns the gift vouchers that a person bought, gave or got. Of those that other customers bought, only the ones
 * that the person got: another account can have had the person's address before, and gifts name their recipients.
 */
export async function findVouchersOfPerson(tx: StoreTx, person: Person): Promise<Voucher[]> {
  const vouchers = await findVouchersNaming(tx, person)
  const others = await findOrdersOfOthers(tx, vouchers, person)
  return vouchers.filter(
    ({ orderId, toEmail }) =>
      !others.has(orderId) || person.verifiedEmails.some((email) => isSameMailbox(email, toEmail)),
  )
}

/** Returns the ids of the vouchers' orders that other customers placed. */
async function findOrdersOfOthers(
  tx: StoreTx,
  vouchers: readonly Voucher[],
  { customerId }: Person,
): Promise<ReadonlySet<string | null>> {
  const orders = await Order.in(tx)
    .findByIds(vouchers.flatMap(({ orderId }) => orderId ?? []))
    .whereNotNull('customer_id')
    .whereNot('customer_id', customerId)
    .select('id')
  return new Set(orders.map(({ id }) => id))
}
