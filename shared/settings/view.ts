import { type Static, Type } from 'typebox'
import { toMajor } from '../platform/money.ts'
import { Money, Nullable, pickText, Shape, Uuid } from '../platform/schema.ts'
import type { Store } from '../stores/store.ts'
import { PAYMENT_METHODS, type PaymentMethod } from './payment-method.ts'
import type { ShippingMethod } from './shipping-method.ts'

export const PaymentMethodView = Shape({
  code: Type.Enum([...PAYMENT_METHODS]),
  name: Type.String(),
  instructions: Nullable(Type.String()),
})

/** A way to pay, in the buyer's language. */
export const viewPaymentMethod = (
  method: PaymentMethod,
  store: Store,
  language: string,
): Static<typeof PaymentMethodView> => ({
  code: method.code,
  name: pickText(method.nameI18n, language, store.defaultLanguage),
  instructions: pickText(method.instructionsI18n, language, store.defaultLanguage) || null,
})

export const ShippingMethodView = Shape({
  id: Uuid,
  code: Type.String(),
  name: Type.String(),
  price: Money,
  estimate: Nullable(Type.String()),
})

/** A way to ship, in the buyer's language. */
export const viewShippingMethod = (
  method: ShippingMethod,
  store: Store,
  language: string,
): Static<typeof ShippingMethodView> => ({
  id: method.id,
  code: method.code,
  name: pickText(method.nameI18n, language, store.defaultLanguage),
  price: toMajor(method.priceMinor, store.currency),
  estimate: pickText(method.estimateI18n, language, store.defaultLanguage) || null,
})
