import { Type } from 'typebox'
import { type MailLanguage, mailLanguage } from '#shared/mail/define-mail.ts'
import { Nullable, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { VoucherErrors } from './errors.ts'
import type { Voucher } from './voucher.ts'

/** The giver's choices for a voucher: giver, recipient, theme and message. */
export type Gift = Pick<
  Voucher,
  'fromName' | 'fromEmail' | 'toName' | 'toEmail' | 'voucherThemeId' | 'message'
>

export const giftProperties = {
  from_name: Type.String(),
  from_email: Type.String(),
  to_name: Type.String(),
  to_email: Type.String(),
  voucher_theme_id: Nullable(Uuid),
  message: Type.String(),
}

export const viewGift = ({ fromName, fromEmail, toName, toEmail, voucherThemeId, message }: Gift) => ({
  from_name: fromName,
  from_email: fromEmail,
  to_name: toName,
  to_email: toEmail,
  voucher_theme_id: voucherThemeId,
  message,
})

/** The smallest and largest amount that is sold, in minor units of any currency. With two decimals: 1 to 10,000. */
const MIN_SOLD_MINOR = 100n
const MAX_SOLD_MINOR = 1_000_000n

/** Throws `voucher.amount_out_of_range` for an amount that is not sold. Staff may issue any amount. */
export function assertSellable(amountMinor: bigint, currency: string): void {
  if (amountMinor >= MIN_SOLD_MINOR && amountMinor <= MAX_SOLD_MINOR) return
  throw VoucherErrors.amountOutOfRange({
    minimum: toMajor(MIN_SOLD_MINOR, currency),
    maximum: toMajor(MAX_SOLD_MINOR, currency),
    currency,
  })
}

const NAMES: Record<MailLanguage, string> = { en: 'Gift voucher', de: 'Geschenkgutschein' }

/** Returns the name of a gift voucher on a line of a cart or an order. */
export const voucherName = (language: string): string => NAMES[mailLanguage(language)]

/** The SKU of a gift voucher's line. */
export const VOUCHER_SKU = 'gift-voucher'
