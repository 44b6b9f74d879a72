import { type Static, Type } from 'typebox'
import { isSameMailbox } from '#shared/identity/email.ts'
import { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import {
  CurrencyCode,
  Money,
  Nullable,
  Shape,
  Timestamp,
  toTimestamp,
  Uuid,
} from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { findVouchersOfPerson } from '#shared/vouchers/find-vouchers-of-person.ts'
import type { Voucher } from '#shared/vouchers/voucher.ts'
import type { Person } from './person.ts'

export const ExportedVoucher = Shape({
  id: Uuid,
  order_id: Nullable(Uuid),
  amount: Money,
  amount_remaining: Money,
  currency: CurrencyCode,
  from_name: Type.String(),
  from_email: Type.String(),
  to_name: Type.String(),
  to_email: Type.String(),
  message: Type.String(),
  created_at: Timestamp,
})

export const viewExportedVoucher = (voucher: Voucher): Static<typeof ExportedVoucher> => ({
  id: voucher.id,
  order_id: voucher.orderId,
  amount: toMajor(voucher.amountMinor, voucher.currency),
  amount_remaining: toMajor(voucher.remainingMinor, voucher.currency),
  currency: voucher.currency,
  from_name: voucher.fromName,
  from_email: voucher.fromEmail,
  to_name: voucher.toName,
  to_email: voucher.toEmail,
  message: voucher.message,
  created_at: toTimestamp(voucher.createdAt),
})

/**
 * Returns the gift vouchers that a person bought, gave or got. Of those that other customers bought, it returns the ones
 * that the person got: another account can have had the person's address before, and gifts name their recipients.
 */
export async function findExportedVouchers(tx: StoreTx, person: Person): Promise<Voucher[]> {
  const vouchers = await findVouchersOfPerson(tx, person)
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
