import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { codeKey } from './code.ts'
import { VoucherErrors } from './errors.ts'
import { withThemes } from './find-voucher.ts'
import type { WholeVoucher } from './view.ts'
import { Voucher } from './voucher.ts'

/** The voucher that a code opens. An inactive one is answered as an unknown one, by the same look: `voucher.not_found`. */
export async function findBalance(tx: StoreTx, code: string): Promise<WholeVoucher> {
  const voucher = await Voucher.in(tx).findOne({ code_key: codeKey(code), is_active: true })
  if (!voucher) throw VoucherErrors.notFound()
  const [whole] = await withThemes(tx, [voucher])
  return whole as WholeVoucher
}
