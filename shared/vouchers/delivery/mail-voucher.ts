import { Customer } from '#shared/customers/customer.ts'
import { normalizeEmail } from '#shared/identity/email.ts'
import { countStaffMail } from '#shared/mail/mail-limits.ts'
import { queueMail } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toMajor } from '#shared/platform/money.ts'
import { voucherMail } from '#shared/vouchers/mails/gift-voucher.ts'
import { assertUsable } from '#shared/vouchers/usability.ts'
import { findVoucher, type Voucher, type VoucherWithTheme } from '#shared/vouchers/voucher.ts'

/**
 * Mails a voucher with its balance to its recipient. The language is `language`, or else that of the recipient's
 * account, of the voucher, or of the store. Throws `voucher.inactive`, `voucher.expired` and `voucher.empty`.
 */
export async function mailVoucher(
  tx: StoreTx,
  { voucher, theme }: VoucherWithTheme,
  { language }: { language?: string } = {},
): Promise<void> {
  assertUsable(voucher)
  const recipient = {
    recordId: voucher.id,
    email: voucher.toEmail,
    language: language ?? (await languageOf(tx, voucher)),
  }
  await queueMail(tx, voucherMail, recipient, {
    code: voucher.code,
    amount: toMajor(voucher.remainingMinor, voucher.currency),
    currency: voucher.currency,
    from_name: voucher.fromName,
    to_name: voucher.toName,
    message: voucher.message,
    image: theme?.image ?? null,
    expires_at: voucher.expiresAt?.toISOString() ?? null,
  })
}

/**
 * Mails a voucher again for the staff. Throws `resource.not_found`, the errors of `mailVoucher`, and 429 past 20 mails
 * an hour.
 */
export async function sendVoucher(
  tx: StoreTx,
  id: string,
  options: { language?: string },
): Promise<VoucherWithTheme> {
  const whole = await findVoucher(tx, id)
  await mailVoucher(tx, whole, options)
  countStaffMail(tx, whole.voucher.toEmail)
  return whole
}

async function languageOf(tx: StoreTx, { toEmail, language }: Voucher): Promise<string | null> {
  const customer = await Customer.in(tx).findOne('email_normalized', normalizeEmail(toEmail))
  return customer?.language ?? language
}
