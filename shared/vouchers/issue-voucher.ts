import { now } from '../platform/clock.ts'
import { emit } from '../platform/events.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { bookEntry } from './book-entry.ts'
import { codeKey, newCode } from './code.ts'
import { voucherIssued } from './events.ts'
import { findVoucher } from './find-voucher.ts'
import { refusalOf } from './refusal-of.ts'
import { viewVoucher } from './view.ts'
import { Voucher } from './voucher.ts'

/** A voucher to be. Amount in minor units of `currency`, which is the store's. */
export interface VoucherDraft {
  amountMinor: bigint
  currency: string
  toName: string
  toEmail: string
  fromName: string
  fromEmail: string
  message?: string | undefined
  themeId?: string | null | undefined
  /** The order that it belongs to. */
  orderId?: string | null | undefined
  /** A code of the issuer's choosing; left out, one is made that nobody can guess. */
  code?: string | undefined
  /** BCP 47: what its mail is written in; left out, the store's default. */
  language?: string | null | undefined
  expiresAt?: Date | null | undefined
  isActive?: boolean | undefined
  /** Who issues it: `staff:…`; `system` unless told. */
  actor?: string | undefined
}

/**
 * Issues a gift voucher: its row, the first entry of its ledger, `voucher.issued`. Mailing it is another step
 * (`mailVoucher`). Throws `voucher.code_taken`, and `validation.failed` for an order or theme that there is not.
 */
export async function issueVoucher(tx: StoreTx, draft: VoucherDraft): Promise<Voucher> {
  const { id } = await insertVoucher(tx, draft)
  const whole = await findVoucher(tx, id)
  if (whole.voucher.isActive) await emit(tx, voucherIssued, viewVoucher(whole))
  return whole.voucher
}

/** Writes a voucher and issues its amount in the ledger; nobody is told. */
export async function insertVoucher(
  tx: StoreTx,
  draft: VoucherDraft & { orderItemId?: string; awaitsPayment?: boolean },
): Promise<Voucher> {
  const code = draft.code ?? newCode()
  const at = now()
  const voucher = await Voucher.in(tx)
    .insert({
      code,
      codeKey: codeKey(code),
      currency: draft.currency,
      fromName: draft.fromName,
      fromEmail: draft.fromEmail,
      toName: draft.toName,
      toEmail: draft.toEmail,
      message: draft.message ?? '',
      language: draft.language ?? null,
      voucherThemeId: draft.themeId ?? null,
      orderId: draft.orderId ?? null,
      orderItemId: draft.orderItemId ?? null,
      awaitsPayment: draft.awaitsPayment ?? false,
      isActive: draft.isActive ?? true,
      expiresAt: draft.expiresAt ?? null,
      createdAt: at,
      updatedAt: at,
    })
    .catch((error) => {
      throw refusalOf(error)
    })
  const { amountMinor, actor } = draft
  await bookEntry(tx, { voucherId: voucher.id, kind: 'issue', amountMinor, ...(actor ? { actor } : {}) })
  return voucher
}
