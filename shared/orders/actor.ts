const ACCOUNT_TYPES = ['customer', 'staff', 'api_token'] as const
const OTHER_TYPES = ['guest', 'system', 'gateway'] as const

/** The types of the actors of orders. */
export const ORDER_ACTOR_TYPES = [...ACCOUNT_TYPES, ...OTHER_TYPES] as const
export type OrderActorType = (typeof ORDER_ACTOR_TYPES)[number]

/** The author of a change to an order, as its history names it, e.g. `staff:<id>` or `gateway`. */
export type OrderActor = `${(typeof ACCOUNT_TYPES)[number]}:${string}` | (typeof OTHER_TYPES)[number]

export const customerActor = (customerId: string | null): OrderActor =>
  customerId ? `customer:${customerId}` : 'guest'
