import { StoreModel } from '#shared/platform/db/model.ts'

/** What a gift voucher looks like. */
export class VoucherTheme extends StoreModel {
  static override tableName = 'voucher_themes'
  static override jsonAttributes = ['nameI18n']

  declare nameI18n: Record<string, string>
  /** The address of its picture. */
  declare image: string
  declare createdAt: Date
  declare updatedAt: Date
}

/** SQL: the image of the theme of a row that has a `voucher_theme_id`; null without one. */
export const themeImageSql = (row: string): string =>
  `(select image from voucher_themes t where t.store_id = ${row}.store_id and t.id = ${row}.voucher_theme_id)`
