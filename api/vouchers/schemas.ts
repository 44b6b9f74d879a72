import { Type } from 'typebox'
import { listQuery } from '#api/platform/input/list-query.ts'
import { MetadataChange } from '#shared/platform/http/metadata.ts'
import {
  Changes,
  Email,
  I18nLine,
  Language,
  Name,
  Nullable,
  PositiveAmount,
  Shape,
  Timestamp,
  Uuid,
} from '#shared/platform/http/schema.ts'
import { HttpsUrl } from '#shared/platform/http/web-url.ts'
import { VOUCHERS } from '#shared/vouchers/list-vouchers.ts'

export const VoucherParams = Shape({ id: Uuid })
export const ThemeParams = Shape({ id: Uuid })
export const CodeParams = Shape({
  code: Type.String({
    maxLength: 100,
    description: 'Case, dashes and spaces do not count',
  }),
})

const Code = Type.String({
  minLength: 4,
  maxLength: 64,
  pattern: '^[\\p{L}\\p{N}]([ ._-]?[\\p{L}\\p{N}]){3,}$',
  description: 'Letters and digits, with single dashes, dots, underscores or spaces between them',
})
const PersonName = Name(200)
const Message = Type.String({ maxLength: 2_000 })
export const VoucherAmount = PositiveAmount("In the store's currency", 999_999_999)

const voucherFields = {
  order_id: Type.Optional(Nullable(Uuid)),
  code: Type.Optional(Code),
  from_name: Type.Optional(PersonName),
  from_email: Type.Optional(Email),
  voucher_theme_id: Type.Optional(Nullable(Uuid)),
  message: Type.Optional(Message),
  is_active: Type.Optional(Type.Boolean()),
  expires_at: Type.Optional(Nullable(Timestamp)),
  metadata: Type.Optional(MetadataChange),
  to_name: PersonName,
  to_email: Email,
  amount: VoucherAmount,
}

export const CreateVoucherRequest = Shape({
  ...voucherFields,
  language: Type.Optional(Language),
})

export const UpdateVoucherRequest = Changes(voucherFields)

export const VouchersQuery = listQuery(VOUCHERS)

export const PurgeQuery = Shape({
  purge: Type.Boolean({ default: false, description: 'Delete a voucher that was never bought or used' }),
})

export const SendVoucherRequest = Shape({ language: Type.Optional(Language) })

export const CreateVoucherThemeRequest = Shape({ name_i18n: I18nLine(), image: HttpsUrl })

export const UpdateVoucherThemeRequest = Changes(CreateVoucherThemeRequest.properties)
