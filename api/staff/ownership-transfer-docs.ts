/** The part of a description about who can be the new owner. */
export const PROVEN_SUCCESSOR =
  'The new owner must have proven the address before: by choosing a password, or confirming the address, by a ' +
  'mailed link.'

/** The part of a description about what a transfer ends. */
export const ENDED_BY_TRANSFER =
  'The identity providers for staff are deactivated, the sessions that they opened are closed, and sign-ins in ' +
  'progress end. The links `staff_password` and `staff_email` are reset. Links that were mailed to staff before ' +
  '(invitations, new passwords, new addresses) are void: invited members request a password by ' +
  'POST /auth/password/forgot.'

export const endedExample = { deactivated_providers: ['office'], reset_links: ['staff_password'] }
