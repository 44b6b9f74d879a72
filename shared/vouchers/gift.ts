import { Type } from 'typebox'
import { Nullable, Uuid } from '#shared/platform/http/schema.ts'
import type { Voucher } from './voucher.ts'

/** What the giver of a voucher says of it: from whom, for whom, how it looks. */
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
