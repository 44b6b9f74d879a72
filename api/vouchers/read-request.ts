import type { Static } from 'typebox'
import { toMinor } from '#shared/platform/money.ts'
import type { Store } from '#shared/stores/store.ts'
import type { VoucherDraft } from '#shared/vouchers/issue-voucher.ts'
import type { ThemeDraft } from '#shared/vouchers/themes.ts'
import type { NewThemeBody, NewVoucherBody, ThemeChangesBody } from './schemas.ts'

/** A voucher issued by hand in the domain's terms. It comes from the store itself unless the request says otherwise. */
export const toVoucherDraft = (
  body: Static<typeof NewVoucherBody>,
  store: Store,
  actor: string,
): VoucherDraft => ({
  amountMinor: toMinor(body.amount, store.currency, ['body', 'amount']),
  currency: store.currency,
  toName: body.to_name,
  toEmail: body.to_email,
  fromName: body.from_name ?? store.name,
  fromEmail: body.from_email ?? store.email,
  message: body.message,
  themeId: body.voucher_theme_id,
  orderId: body.order_id,
  code: body.code,
  language: body.language,
  expiresAt: body.expires_at ? new Date(body.expires_at) : null,
  isActive: body.is_active,
  actor,
})

export const toThemeDraft = ({ name_i18n, image }: Static<typeof NewThemeBody>): ThemeDraft => ({
  nameI18n: name_i18n,
  image,
})

export const toThemeChanges = ({
  name_i18n,
  image,
}: Static<typeof ThemeChangesBody>): Partial<ThemeDraft> => ({
  ...(name_i18n === undefined ? {} : { nameI18n: name_i18n }),
  ...(image === undefined ? {} : { image }),
})
