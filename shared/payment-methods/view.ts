import { type Static, Type } from 'typebox'
import { I18nText, Money, Nullable, Shape } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { pickText } from '#shared/platform/text.ts'
import type { Store } from '#shared/stores/store.ts'
import { maxChargeMinor, minChargeMinor } from './card-rules.ts'
import { PAYMENT_METHODS, type PaymentMethod, supportsRecurring } from './payment-method.ts'

export const PaymentMethodView = Shape({
  code: Type.Enum([...PAYMENT_METHODS]),
  name: Type.String(),
  instructions: Type.String(),
  min_amount: {
    ...Nullable(Money),
    description: 'The smallest amount due, after a voucher, for which the method is offered. Null: any',
  },
  max_amount: { ...Nullable(Money), description: 'The largest amount due. Null: any' },
  takes_recurring: Type.Boolean({ description: 'Whether it pays for lines by a recurring plan' }),
})

/** Returns a payment method in the buyer's language. */
export const viewPaymentMethod = (
  method: PaymentMethod,
  store: Store,
  language: string,
): Static<typeof PaymentMethodView> => ({
  code: method.code,
  name: pickText(method.nameI18n, language, store.defaultLanguage),
  instructions: pickText(method.instructionsI18n, language, store.defaultLanguage),
  ...viewLimits(method, store.currency),
  takes_recurring: supportsRecurring(method.code),
})

const viewLimits = ({ code }: PaymentMethod, currency: string) =>
  code === 'card'
    ? {
        min_amount: toMajor(minChargeMinor(currency), currency),
        max_amount: toMajor(maxChargeMinor(currency), currency),
      }
    : { min_amount: null, max_amount: null }

export const PaymentMethodSettingsView = Shape({
  code: Type.Enum([...PAYMENT_METHODS]),
  name_i18n: I18nText(200),
  instructions_i18n: I18nText(2_000),
  position: Type.Integer(),
  is_active: Type.Boolean(),
})

/** Returns a payment method as staff see it. */
export const viewPaymentSettings = (method: PaymentMethod): Static<typeof PaymentMethodSettingsView> => ({
  code: method.code,
  name_i18n: method.nameI18n,
  instructions_i18n: method.instructionsI18n,
  position: method.position,
  is_active: method.isActive,
})
