import { readInPieces } from '#shared/platform/db/read-in-pieces.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Voucher } from './voucher.ts'

export interface NamedPerson {
  /** The person's verified addresses, in lower case. */
  verifiedEmails: readonly string[]
  orderIds: readonly string[]
}

/** Returns the gift vouchers of these orders, and those with the address of a person as giver or recipient. */
export const findVouchersNaming = (
  tx: StoreTx,
  { verifiedEmails, orderIds }: NamedPerson,
): Promise<Voucher[]> =>
  readInPieces(
    Voucher.in(tx).where((of) =>
      of
        .whereRaw('order_id = any(?)', [[...orderIds]])
        .orWhereRaw('lower(from_email) = any(?)', [verifiedEmails])
        .orWhereRaw('lower(to_email) = any(?)', [verifiedEmails]),
    ),
    ['id'],
  )
