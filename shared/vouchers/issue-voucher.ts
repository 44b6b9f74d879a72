import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emit } from '#shared/platform/events/events.ts'
import { now } from '#shared/platform/time/clock.ts'
import { bookEntry } from './book-entry.ts'
import { codeKey, newCode } from './code.ts'
import { voucherIssued } from './events.ts'
import { findVoucher } from './find-voucher.ts'
import { refusalOf } from './refusal-of.ts'
import { viewVoucher, type WholeVoucher } from './view.ts'
import { Voucher } from './voucher.ts'

/** A voucher to be. Amount in minor units of `currency`, which is the store's. */
export interface VoucherDraft {
  amountMinor: bigint
  currency: string
  toName: string
  toEmail: string
  fromName: string
  fromEmail: string
  message?: string
  voucherThemeId?: string | null
  /** The order that it belongs to. */
  orderId?: string | null
  /** A code of the issuer's choosing; left out, one is made that nobody can guess. */
  code?: string
  /** BCP 47: what its mail is written in; left out, the store's default. */
  language?: string | null
  expiresAt?: Date | null
  isActive?: boolean
  /** Who issues it: `staff:…`; `system` unless told. */
  actor?: string
}

/**
 * Issues a gift voucher: its row, the first entry of its ledger, `voucher.issued`. Mailing it is another step
 * (`mailVoucher`). Throws `voucher.code_taken`, and `validation.failed` for an order or theme that there is not.
 */
export async function issueVoucher(tx: StoreTx, draft: VoucherDraft): Promise<WholeVoucher> {
  const { id } = await insertVoucher(tx, draft)
  const whole = await findVoucher(tx, id)
  if (whole.voucher.isActive) await emit(tx, voucherIssued, viewVoucher(whole))
  return whole
}

interface BoughtBy {
  orderItemId?: string
  awaitsPayment?: boolean
}

const UNTOLD = {
  message: '',
  language: null,
  voucherThemeId: null,
  orderId: null,
  orderItemId: null,
  awaitsPayment: false,
  isActive: true,
  expiresAt: null,
}

/** Writes a voucher and issues its amount in the ledger; nobody is told. */
export async function insertVoucher(
  tx: StoreTx,
  { amountMinor, actor, code = newCode(), ...given }: VoucherDraft & BoughtBy,
): Promise<Voucher> {
  const at = now()
  const voucher = await Voucher.in(tx)
    .insert({ ...UNTOLD, ...given, code, codeKey: codeKey(code), createdAt: at, updatedAt: at })
    .catch((error) => {
      throw refusalOf(error)
    })
  await bookEntry(tx, { voucherId: voucher.id, kind: 'issue', amountMinor, ...(actor ? { actor } : {}) })
  return voucher
}
