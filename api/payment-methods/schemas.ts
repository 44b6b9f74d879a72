import { Type } from 'typebox'
import { Changes, I18nLine, I18nText, Position, Shape } from '#shared/platform/http/schema.ts'

/** Any text is accepted, so that an unknown code returns 404. */
export const PaymentMethodParams = Shape({ code: Type.String({ maxLength: 300, example: 'card' }) })

export const UpdatePaymentMethodRequest = Changes({
  is_active: Type.Boolean(),
  name_i18n: I18nLine(200),
  instructions_i18n: I18nText(2_000),
  position: Position,
})
