/** Describes what a transfer of the store ends, because only an owner sets it up. */
export const ENDED_BY_TRANSFER =
  'The identity providers for staff are deactivated, the sessions that they opened are closed, and the links ' +
  '`staff_password` and `staff_email` are reset.'

export const endedExample = { deactivated_providers: ['office'], reset_links: ['staff_password'] }
