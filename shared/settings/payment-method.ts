import { config } from '#shared/platform/config/config.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

export const PAYMENT_METHODS = ['card', 'bank_transfer', 'cash_on_delivery', 'sandbox'] as const
export type PaymentMethodCode = (typeof PAYMENT_METHODS)[number]

/** A way to pay that a store offers, when it is active. */
export class PaymentMethod extends StoreModel {
  static override tableName = 'payment_methods'
  static override jsonAttributes = ['nameI18n', 'instructionsI18n']

  declare code: PaymentMethodCode
  declare nameI18n: Record<string, string>
  /** What the buyer is told to do, such as the account to pay to. */
  declare instructionsI18n: Record<string, string>
  declare position: number
  declare isActive: boolean
  declare updatedAt: Date
}

/** The ways to pay that there are here: in production nobody pays with play money (decisions, section 6). */
export const availablePaymentMethods = (): readonly PaymentMethodCode[] =>
  PAYMENT_METHODS.filter((code) => code !== 'sandbox' || config().NODE_ENV !== 'production')

export const isAvailable = (code: string): code is PaymentMethodCode =>
  availablePaymentMethods().some((known) => known === code)

/** Offers a way to pay in a new store. */
export const insertPaymentMethod = (
  tx: StoreTx,
  method: Pick<PaymentMethod, 'code' | 'nameI18n' | 'position'> &
    Partial<Pick<PaymentMethod, 'instructionsI18n'>>,
): PromiseLike<PaymentMethod> =>
  PaymentMethod.in(tx).insert({ instructionsI18n: {}, ...method, isActive: true, updatedAt: now() })
