import { Type } from 'typebox'
import { storefront } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { listPaymentMethods } from '#shared/payment-methods/payment-method.ts'
import { PaymentMethodView, viewPaymentMethod } from '#shared/payment-methods/view.ts'

export const readPaymentMethods = endpoint({
  method: 'get',
  path: '/settings/payment-methods',
  access: storefront,
  summary: 'List the active payment methods',
  description:
    'Send the `code` of one as `payment_method` at checkout. A card pays amounts from `min_amount` to `max_amount`.',
  returns: [200, Type.Array(PaymentMethodView)],
  example: {
    data: [
      {
        code: 'card',
        name: 'Card',
        instructions: '',
        min_amount: 0.5,
        max_amount: 999_999.99,
        takes_recurring: true,
      },
      {
        code: 'bank_transfer',
        name: 'Bank transfer',
        instructions: 'Pay to DE02 1203 0000 0000 2020 51.',
        min_amount: null,
        max_amount: null,
        takes_recurring: false,
      },
    ],
  },
  async handle({ tx, store, request: { language } }) {
    const methods = await listPaymentMethods(tx)
    return methods.map((method) => viewPaymentMethod(method, store, language))
  },
})
