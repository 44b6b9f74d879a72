import { PAYMENT_METHODS } from '#shared/payment-methods/payment-method.ts'

/** The payment method of an order that a gift voucher pays in full. */
export const PAY_BY_VOUCHER = 'voucher'

/** The payment methods of orders. `none`: the order is a replacement. */
export const ORDER_PAYMENT_METHODS = [...PAYMENT_METHODS, PAY_BY_VOUCHER, 'none'] as const
