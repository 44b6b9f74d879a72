import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'

interface Person {
  /** In lower case. */
  verifiedEmails: readonly string[]
  orderIds: readonly string[]
}

/** The gift vouchers of these orders, and those that name one of the addresses. */
export const findVouchersOfPerson = (
  tx: StoreTx,
  { verifiedEmails, orderIds }: Person,
): PromiseLike<Voucher[]> =>
  Voucher.in(tx)
    .where((of) =>
      of
        .whereIn('order_id', [...orderIds])
        .orWhereRaw('lower(from_email) = any(?)', [verifiedEmails])
        .orWhereRaw('lower(to_email) = any(?)', [verifiedEmails]),
    )
    .orderBy('id')
