import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUsable } from './assert-usable.ts'
import { codeKey } from './code.ts'
import { VoucherErrors } from './errors.ts'
import { Voucher } from './voucher.ts'

/**
 * The voucher that a code opens, kept from others until the end of the transaction: what is left of it then is what can
 * be reserved. Throws `voucher.not_found`, `voucher.currency_mismatch`, `voucher.inactive`, `voucher.expired` and
 * `voucher.empty`.
 */
export async function lockSpendable(tx: StoreTx, code: string, currency: string): Promise<Voucher> {
  const voucher = await Voucher.in(tx).findOne('code_key', codeKey(code)).forNoKeyUpdate()
  if (!voucher) throw VoucherErrors.notFound()
  if (voucher.currency !== currency) throw VoucherErrors.currencyMismatch({ currency: voucher.currency })
  assertUsable(voucher)
  return voucher
}
