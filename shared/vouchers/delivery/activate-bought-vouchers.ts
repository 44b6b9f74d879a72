import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emitIssued } from '#shared/vouchers/events.ts'
import { usabilityError } from '#shared/vouchers/usability.ts'
import { Voucher, withThemes } from '#shared/vouchers/voucher.ts'
import { mailVoucher } from './mail-voucher.ts'

/** Activates and mails the vouchers that were bought with a paid order, each once. */
export async function activateBoughtVouchers(tx: StoreTx, orderId: string): Promise<void> {
  const bought = await Voucher.in(tx).where({ order_id: orderId, awaits_payment: true }).forNoKeyUpdate()
  for (const { voucher: inactive, theme } of await withThemes(tx, bought)) {
    const changes = { awaitsPayment: false, isActive: true, updatedAt: nextUpdatedAt(inactive) }
    await Voucher.in(tx).findById(inactive.id).patch(changes)
    const voucher = inactive.with(changes)
    await emitIssued(tx, { voucher, theme })
    if (!usabilityError(voucher)) await mailVoucher(tx, { voucher, theme })
  }
}
