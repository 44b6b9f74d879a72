import { DAY_MS } from '#shared/platform/time/clock.ts'

/** Units of one line. */
export const MAX_UNITS = 999
export const MAX_LINES = 100
/** Gift vouchers are not counted in MAX_LINES. */
export const MAX_VOUCHERS = 20
/** The maximum total of a cart or an order, in minor units of any currency. All sums then fit a JSON number. */
export const MAX_TOTAL_MINOR = 999_999_999_999n

/** A guest cart expires this long after its last change. */
export const GUEST_CART_MS = 30 * DAY_MS
