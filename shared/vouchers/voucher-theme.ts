import { type Static, Type } from 'typebox'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { I18nText, Shape, Uuid } from '#shared/platform/http/schema.ts'

/** The look of a gift voucher. */
export class VoucherTheme extends StoreModel {
  static override tableName = 'voucher_themes'
  static override jsonAttributes = ['nameI18n']

  declare nameI18n: Record<string, string>
  /** The URL of its picture. */
  declare image: string
  declare createdAt: Date
  declare updatedAt: Date
}

/** SQL: the URL of the picture of a row's theme. `row` is the alias of a row with a `voucher_theme_id`. */
export const themeImageSql = (row: string): string =>
  `(select image from voucher_themes t where t.store_id = ${row}.store_id and t.id = ${row}.voucher_theme_id)`

export const VoucherThemeView = Shape({ id: Uuid, name_i18n: I18nText(255), image: Type.String() })
export type VoucherThemeView = Static<typeof VoucherThemeView>

/** Returns a theme in all its languages. */
export const viewVoucherTheme = ({ id, nameI18n, image }: VoucherTheme): VoucherThemeView => ({
  id,
  name_i18n: nameI18n,
  image,
})

/** Returns a theme of the store. Throws `resource.not_found` if it does not exist. */
export async function findVoucherTheme(tx: StoreTx, themeId: string): Promise<VoucherTheme> {
  return assertFound(await VoucherTheme.in(tx).findById(themeId))
}

export type ThemeInput = Pick<VoucherTheme, 'nameI18n' | 'image'>

/** Locks a theme. Before a deletion, it also locks out new vouchers with this theme. Throws `resource.not_found`. */
export async function lockVoucherTheme(
  tx: StoreTx,
  themeId: string,
  before: 'update' | 'deletion',
): Promise<VoucherTheme> {
  const query = VoucherTheme.in(tx).findById(themeId)
  return assertFound(await (before === 'update' ? query.forNoKeyUpdate() : query.forUpdate()))
}
