import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Voucher } from './voucher.ts'

/** Reads a voucher and keeps others from changing it until the end of the transaction. Unknown: 404. */
export async function lockVoucher(tx: StoreTx, voucherId: string): Promise<Voucher> {
  const voucher = await Voucher.in(tx).findById(voucherId).forNoKeyUpdate()
  if (!voucher) throw CommonErrors.notFound()
  return voucher
}
