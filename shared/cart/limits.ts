import { DAY_MS } from '#shared/platform/time/clock.ts'

/** Units of one line. */
export const MOST_UNITS = 999
export const MOST_LINES = 100
/** Gift vouchers, which are lines of their own beside these. */
export const MOST_VOUCHERS = 20
/** What a cart or an order may come to, in minor units of any currency: all its sums then fit a JSON number. */
export const LARGEST_TOTAL_MINOR = 999_999_999_999n

/** A guest's cart lives this long after its last change (decisions, section 3). */
export const GUEST_CART_MS = 30 * DAY_MS
