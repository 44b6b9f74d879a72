import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { emitIssued } from './events.ts'
import { mailVoucher } from './mail-voucher.ts'
import { usabilityError } from './usability.ts'
import { Voucher, withThemes } from './voucher.ts'

/** Activates and mails the vouchers that were bought with a paid order, each once. */
export async function activateBoughtVouchers(tx: StoreTx, orderId: string): Promise<void> {
  const bought = await Voucher.in(tx).where({ order_id: orderId, awaits_payment: true }).forNoKeyUpdate()
  for (const { voucher, theme } of await withThemes(tx, bought)) {
    const activated = { awaitsPayment: false, isActive: true, updatedAt: nextUpdatedAt(voucher) }
    await Voucher.in(tx).findById(voucher.id).patch(activated)
    Object.assign(voucher, activated)
    await emitIssued(tx, { voucher, theme })
    if (!usabilityError(voucher)) await mailVoucher(tx, { voucher, theme })
  }
}
