/** The time for which a sign-in allows changes that outlast the session. */
export const RECENT_SIGN_IN_MINUTES = 60
