import { StoreModel } from '../platform/model.ts'

export const PAYMENT_METHODS = ['card', 'bank_transfer', 'cash_on_delivery'] as const
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
}
