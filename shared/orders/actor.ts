/** The author of a change to an order, as its history names it. */
export type OrderActor =
  | `customer:${string}`
  | `staff:${string}`
  | `api_token:${string}`
  | 'guest'
  | 'system'
  | 'gateway'

export const customerActor = (customerId: string | null): OrderActor =>
  customerId ? `customer:${customerId}` : 'guest'
