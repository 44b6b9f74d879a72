import { emit } from '../platform/events.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { whyUnusable } from './assert-usable.ts'
import { voucherIssued } from './events.ts'
import { mailVoucher } from './mail-voucher.ts'
import { viewVoucher } from './view.ts'
import { Voucher } from './voucher.ts'
import { findVoucher } from './whole-vouchers.ts'

/** Makes the vouchers that were bought with an order, which is paid now, active, and mails them: each once. */
export async function activateBought(tx: StoreTx, orderId: string): Promise<void> {
  const activated = await Voucher.in(tx)
    .where({ order_id: orderId, awaits_payment: true })
    .patch({ awaitsPayment: false, isActive: true })
    .returning('id')
  for (const { id } of activated) {
    const { voucher, theme } = await findVoucher(tx, id)
    await emit(tx, voucherIssued, viewVoucher({ voucher, theme }))
    if (!whyUnusable(voucher)) await mailVoucher(tx, id)
  }
}
