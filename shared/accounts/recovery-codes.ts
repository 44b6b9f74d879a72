/**
 * How many unused recovery codes an account has. They are issued when an account switches two-factor sign-in on,
 * which none can do yet: there is nothing to count.
 */
export const NO_RECOVERY_CODES = 0
