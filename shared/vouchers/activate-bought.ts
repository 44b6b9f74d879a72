import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emit } from '#shared/platform/events/events.ts'
import { nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { whyUnusable } from './assert-usable.ts'
import { voucherIssued } from './events.ts'
import { withThemes } from './find-voucher.ts'
import { mailVoucher } from './mail-voucher.ts'
import { viewVoucher } from './view.ts'
import { Voucher } from './voucher.ts'

/** Makes the vouchers that were bought with an order, which is paid now, active, and mails them: each once. */
export async function activateBought(tx: StoreTx, orderId: string): Promise<void> {
  const bought = await Voucher.in(tx).where({ order_id: orderId, awaits_payment: true }).forNoKeyUpdate()
  for (const { voucher, theme } of await withThemes(tx, bought)) {
    const activated = { awaitsPayment: false, isActive: true, updatedAt: nextUpdatedAt(voucher) }
    await Voucher.in(tx).findById(voucher.id).patch(activated)
    Object.assign(voucher, activated)
    await emit(tx, voucherIssued, viewVoucher({ voucher, theme }))
    if (!whyUnusable(voucher)) await mailVoucher(tx, { voucher, theme })
  }
}
