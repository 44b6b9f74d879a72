import { Type } from 'typebox'
import { I18nLine, I18nText, Position, Shape } from '#shared/platform/http/schema.ts'

/** Any text is accepted, so that an unknown code returns 404. */
export const PaymentMethodParams = Shape({ code: Type.String({ maxLength: 300, example: 'card' }) })

export const UpdatePaymentMethodRequest = Shape(
  {
    is_active: Type.Optional(Type.Boolean()),
    name_i18n: Type.Optional(I18nLine(200)),
    instructions_i18n: Type.Optional(I18nText(2_000)),
    position: Type.Optional(Position),
  },
  { minProperties: 1 },
)
