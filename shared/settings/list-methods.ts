import type { StoreTx } from '../platform/store-scope.ts'
import { PaymentMethod } from './payment-method.ts'
import { ShippingMethod } from './shipping-method.ts'

/** The ways to pay that the store has switched on, in its order. */
export const listPaymentMethods = (tx: StoreTx): PromiseLike<PaymentMethod[]> =>
  PaymentMethod.in(tx).where('is_active', true).orderBy(['position', 'code'])

/** The ways to ship to a country, in the store's order. */
export async function listShippingMethods(tx: StoreTx, country: string): Promise<ShippingMethod[]> {
  const methods = await ShippingMethod.in(tx).where('is_active', true).orderBy(['position', 'code'])
  return methods.filter((method) => method.shipsTo(country))
}
