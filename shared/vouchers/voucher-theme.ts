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
