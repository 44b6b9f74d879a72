import { config } from '#shared/platform/config/config.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { now } from '#shared/platform/time/clock.ts'

export const PAYMENT_METHODS = ['card', 'bank_transfer', 'cash_on_delivery', 'sandbox'] as const
export type PaymentMethodCode = (typeof PAYMENT_METHODS)[number]

/** A payment method of a store. The store offers it if it is active. */
export class PaymentMethod extends StoreModel {
  static override tableName = 'payment_methods'
  static override jsonAttributes = ['nameI18n', 'instructionsI18n']

  declare code: PaymentMethodCode
  declare nameI18n: Record<string, string>
  /** Text for the buyer, e.g. the bank account to pay to. */
  declare instructionsI18n: Record<string, string>
  declare position: number
  declare isActive: boolean
  declare updatedAt: Date
}

/** Returns the payment methods of this environment: production has no sandbox. */
export const availablePaymentMethods = (): readonly PaymentMethodCode[] =>
  PAYMENT_METHODS.filter((code) => code !== 'sandbox' || config().NODE_ENV !== 'production')

export const isAvailable = (code: string): code is PaymentMethodCode =>
  availablePaymentMethods().some((known) => known === code)

const RECURRING_METHODS: readonly string[] = ['card', 'sandbox']

/** Whether a payment method can be charged again without its buyer. */
export const supportsRecurring = (code: string): boolean => RECURRING_METHODS.includes(code)

/** SQL: whether the store offers the payment method with a code. */
export const offersPaymentMethodSql = (code: string): string =>
  `exists (select from payment_methods where store_id = ${CURRENT_STORE} and code = ${code} and is_active)`

/** Adds an active payment method to a new store. */
export const insertPaymentMethod = (
  tx: StoreTx,
  method: Pick<PaymentMethod, 'code' | 'nameI18n' | 'position'> &
    Partial<Pick<PaymentMethod, 'instructionsI18n'>>,
): PromiseLike<PaymentMethod> =>
  PaymentMethod.in(tx).insert({ instructionsI18n: {}, ...method, isActive: true, updatedAt: now() })

const NAMES: Record<PaymentMethodCode, string> = {
  card: 'Card',
  bank_transfer: 'Bank transfer',
  cash_on_delivery: 'Cash on delivery',
  sandbox: 'Sandbox',
}

/** Returns a payment method that the store has not changed yet. It has no row. */
export const defaultPaymentMethod = (code: PaymentMethodCode) => ({
  code,
  nameI18n: { en: NAMES[code] },
  instructionsI18n: {},
  position: availablePaymentMethods().indexOf(code),
  isActive: false,
  updatedAt: new Date(0),
})

/** Lists the active payment methods in the store's sequence. */
export const listPaymentMethods = (tx: StoreTx): PromiseLike<PaymentMethod[]> =>
  PaymentMethod.in(tx)
    .where('is_active', true)
    .whereIn('code', [...availablePaymentMethods()])
    .orderBy(['position', 'code'])

/** Lists all available payment methods, active or not, in the store's sequence. */
export async function listAllPaymentMethods(tx: StoreTx): Promise<PaymentMethod[]> {
  const saved = await PaymentMethod.in(tx)
  const methods = availablePaymentMethods().map(
    (code) =>
      saved.find((method) => method.code === code) ??
      Object.assign(new PaymentMethod(), defaultPaymentMethod(code)),
  )
  return methods.sort((a, b) => a.position - b.position || a.code.localeCompare(b.code))
}

/** Finds a payment method. Throws `resource.not_found` for an unknown or unavailable code. */
export async function findPaymentMethod(tx: StoreTx, code: string): Promise<PaymentMethod> {
  return assertFound((await listAllPaymentMethods(tx)).find((method) => method.code === code))
}

/** Returns the instructions of a payment method for buyers, in the first of the languages that has them; else null. */
export async function findInstructions(
  tx: StoreTx,
  code: string,
  languages: readonly string[],
): Promise<string | null> {
  const texts = (await PaymentMethod.in(tx).findOne('code', code))?.instructionsI18n ?? {}
  const language = languages.find((one) => texts[one] !== undefined)
  return language === undefined ? null : (texts[language] ?? null)
}
