import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Voucher } from './voucher.ts'

export interface PersonOfVouchers {
  /** The person's verified addresses, in lower case. */
  verifiedEmails: readonly string[]
  orderIds: readonly string[]
}

/** Returns the gift vouchers of these orders, and those that name one of the addresses. */
export const findVouchersOfPerson = (
  tx: StoreTx,
  { verifiedEmails, orderIds }: PersonOfVouchers,
): PromiseLike<Voucher[]> =>
  Voucher.in(tx)
    .where((of) =>
      of
        .whereIn('order_id', [...orderIds])
        .orWhereRaw('lower(from_email) = any(?)', [verifiedEmails])
        .orWhereRaw('lower(to_email) = any(?)', [verifiedEmails]),
    )
    .orderBy('id')
