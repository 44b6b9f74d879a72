import { assertUnchanged, changedAt } from '../platform/entity-tag.ts'
import { CommonErrors } from '../platform/errors.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import {
  availablePaymentMethods,
  isAvailable,
  PaymentMethod,
  type PaymentMethodCode,
} from './payment-method.ts'

const NAMES: Record<PaymentMethodCode, string> = {
  card: 'Card',
  bank_transfer: 'Bank transfer',
  cash_on_delivery: 'Cash on delivery',
  sandbox: 'Sandbox',
}

/** What a way to pay is before the store says anything about it. */
const untouched = (code: PaymentMethodCode) => ({
  code,
  nameI18n: { en: NAMES[code] },
  instructionsI18n: {},
  position: availablePaymentMethods().indexOf(code),
  isActive: false,
  updatedAt: new Date(0),
})

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

export interface PaymentMethodChange {
  isActive?: boolean
  nameI18n?: Record<string, string>
  instructionsI18n?: Record<string, string>
  position?: number
}

/** Changes a way to pay, for checkouts from then on. Throws 404 for one that there is not, and 412 `resource.changed`. */
export async function changePaymentMethod(
  tx: StoreTx,
  code: string,
  change: PaymentMethodChange,
  ifMatch: string | undefined,
): Promise<PaymentMethod> {
  if (!isAvailable(code)) throw CommonErrors.notFound()
  await PaymentMethod.in(tx).insert(untouched(code)).onConflict(['store_id', 'code']).ignore()
  const before = await PaymentMethod.in(tx).findOne({ code }).forNoKeyUpdate().throwIfNotFound()
  assertUnchanged(before, ifMatch)
  return PaymentMethod.in(tx).patchAndFetchById(before.id, { ...change, updatedAt: changedAt(before) })
}
