/** The open business of a store: the numbers of records with which people would lose money. */
export interface StoreBusiness {
  /** The paid orders that are not shipped completely. */
  orders: number
  /** The open disputes, for which the gateway may ask for evidence. */
  disputes: number
  /** The returns that are not settled. */
  returns: number
  /** The gift vouchers with a balance. */
  vouchers: number
  /** The affiliates whose commissions are not paid. */
  affiliates: number
}

const NAMES: Record<keyof StoreBusiness, string> = {
  orders: 'paid orders to ship',
  disputes: 'open disputes',
  returns: 'open returns',
  vouchers: 'gift vouchers with a balance',
  affiliates: 'affiliates to pay',
}
const KINDS = Object.keys(NAMES) as (keyof StoreBusiness)[]

export const hasOpenBusiness = (business: StoreBusiness): boolean => KINDS.some((kind) => business[kind] > 0)

/** Returns e.g. `paid orders to ship: 20, open returns: 1`. */
export const describeOpenBusiness = (business: StoreBusiness): string =>
  KINDS.filter((kind) => business[kind])
    .map((kind) => `${NAMES[kind]}: ${business[kind]}`)
    .join(', ')
