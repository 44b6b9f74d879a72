import { DAY_MS } from '#shared/platform/time/clock.ts'

/** The maximum of units in one line. */
export const MAX_UNITS = 999
export const MAX_LINES = 100
/** Gift vouchers are not counted in MAX_LINES. */
export const MAX_VOUCHERS = 20
/** The maximum of prices that a cart explains, over all lines. A product can have a hundred price rules. */
export const MAX_EXPLAINED_PRICES = 2_000
/** The maximum total of a cart or an order, in minor units of any currency. It keeps all sums exact as JSON numbers. */
export const MAX_TOTAL_MINOR = 999_999_999_999n

/** A guest cart expires this long after its last change. */
export const GUEST_CART_MS = 30 * DAY_MS
