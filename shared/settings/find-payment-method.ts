import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { availablePaymentMethods, PaymentMethod, type PaymentMethodCode } from './payment-method.ts'

const NAMES: Record<PaymentMethodCode, string> = {
  card: 'Card',
  bank_transfer: 'Bank transfer',
  cash_on_delivery: 'Cash on delivery',
  sandbox: 'Sandbox',
}

/** What a way to pay is before the store says anything about it. */
export const untouched = (code: PaymentMethodCode) => ({
  code,
  nameI18n: { en: NAMES[code] },
  instructionsI18n: {},
  position: availablePaymentMethods().indexOf(code),
  isActive: false,
  updatedAt: new Date(0),
})

/** The ways to pay that the store has switched on, in its order. */
export const listPaymentMethods = (tx: StoreTx): PromiseLike<PaymentMethod[]> =>
  PaymentMethod.in(tx)
    .where('is_active', true)
    .whereIn('code', [...availablePaymentMethods()])
    .orderBy(['position', 'code'])

/** All ways to pay that there are, switched on or off, in the store's order. */
export async function listAllPaymentMethods(tx: StoreTx): Promise<PaymentMethod[]> {
  const kept = await PaymentMethod.in(tx)
  const methods = availablePaymentMethods().map(
    (code) => kept.find((one) => one.code === code) ?? Object.assign(new PaymentMethod(), untouched(code)),
  )
  return methods.sort((a, b) => a.position - b.position || a.code.localeCompare(b.code))
}

/** One way to pay; 404 for one that there is not. */
export async function findPaymentMethod(tx: StoreTx, code: string): Promise<PaymentMethod> {
  const found = (await listAllPaymentMethods(tx)).find((one) => one.code === code)
  if (!found) throw CommonErrors.notFound()
  return found
}
