/** Who did something to an order, as its history names them. */
export type Actor =
  | `customer:${string}`
  | `staff:${string}`
  | `api_token:${string}`
  | 'guest'
  | 'system'
  | 'gateway'

export const customerActor = (customerId: string | null): Actor =>
  customerId ? `customer:${customerId}` : 'guest'
