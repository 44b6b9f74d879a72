import { type Static, Type } from 'typebox'
import { I18nText, Shape, Uuid } from '#shared/platform/http/schema.ts'
import type { VoucherTheme } from './voucher-theme.ts'

/** Interface document, section 2. */
export const VoucherThemeView = Shape({ id: Uuid, name_i18n: I18nText(255), image: Type.String() })
export type VoucherThemeView = Static<typeof VoucherThemeView>

/** A theme as shoppers and staff see it, in all its languages. */
export const viewTheme = ({ id, nameI18n, image }: VoucherTheme): VoucherThemeView => ({
  id,
  name_i18n: nameI18n,
  image,
})
