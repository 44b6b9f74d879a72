import { AuthErrors } from '#shared/identity/errors.ts'
import { defineErrors, withAdvice } from '#shared/platform/errors.ts'

const OWNER_PROTECTED = { code: 'user.owner_protected', status: 403 } as const

export const StaffErrors = defineErrors({
  refundForbidden: {
    code: 'order.refund_forbidden',
    status: 403,
    message: 'Your role may not refund. Ask someone whose role has the right "refund".',
  },
  paymentForbidden: {
    code: 'order.payment_forbidden',
    status: 403,
    message: 'Your role may not mark orders as paid. Ask someone whose role has the right "mark_paid".',
  },
  emailTaken: withAdvice(
    AuthErrors.emailTaken,
    'An account of staff or of the platform has this e-mail address. Use another address. Or whoever receives its ' +
      'mails resets the password, signs in, and leaves that store by POST /auth/me/delete, which frees the address. ' +
      'The owner, the last administrator and a super-admin cannot leave.',
  ),
  ownerProtected: {
    ...OWNER_PROTECTED,
    message:
      'Only the owner can change this account. The owner makes someone else the owner by POST /admin/owner/transfer.',
  },
  /** The code of `ownerProtected`, with advice for the owner. */
  ownerStays: {
    ...OWNER_PROTECTED,
    message:
      'You are the owner. Transfer the store by POST /admin/owner/transfer first; then your role and account can be ' +
      'changed.',
  },
  ownerOnly: {
    code: 'user.owner_only',
    status: 403,
    message: 'Only the owner of the store may do this. Ask the owner.',
  },
  ownTwoFactor: {
    code: 'user.own_two_factor',
    status: 403,
    message: 'Switch your own two-factor sign-in off by POST /auth/2fa/disable, with a code of your app.',
  },
  ownEmail: {
    code: 'user.own_email',
    status: 403,
    message:
      'Change your own e-mail address by POST /auth/email, with your password and access to the new mailbox.',
  },
  emailUnproven: {
    code: 'user.email_unproven',
    status: 409,
    message:
      'Nobody has proven the e-mail address of this member. The member must first choose a password by a mailed link ' +
      '(POST /auth/password/forgot). Then repeat the transfer.',
  },
  lastAdmin: {
    code: 'user.last_admin',
    status: 409,
    message: 'The store would have no administrator. Make another member an administrator first.',
  },
  privilegeEscalation: {
    code: 'user.privilege_escalation',
    status: 403,
    message:
      'You can grant only rights that you have, and change only members and roles whose rights you have. Ask the ' +
      'owner.',
  },
})

export const RoleErrors = defineErrors({
  nameTaken: {
    code: 'role.name_taken',
    status: 409,
    message: 'A role or preset of the store has this name. Choose another.',
  },
  inUse: {
    code: 'role.in_use',
    status: 409,
    message: 'Members have this role. Assign another role to them first.',
  },
  presetProtected: {
    code: 'role.preset_protected',
    status: 403,
    message: 'Preset roles are the same in every store. Create a custom role with these rights.',
  },
  limitReached: {
    code: 'role.limit_reached',
    status: 409,
    message: 'A store has at most 100 custom roles. Delete one without members.',
  },
})

/** Errors of expired tokens have the codes of expired sessions, so that clients handle both alike. */
export const ApiTokenErrors = defineErrors({
  forbidden: {
    code: 'auth.api_token_forbidden',
    status: 403,
    message: 'API tokens do not manage users or credentials. Sign in as a member of the staff.',
  },
  revoked: withAdvice(
    AuthErrors.sessionRevoked,
    'This API token was revoked, or its creator is no longer on the staff. Use another one.',
  ),
  expired: withAdvice(
    AuthErrors.tokenExpired,
    'This API token has expired. Use another one, or change its expiry.',
  ),
  limitReached: {
    code: 'api_token.limit_reached',
    status: 409,
    message: ({ limit }: { limit: number }) =>
      `A store can have ${limit} API tokens at most. Revoke one first.`,
  },
  testOnly: withAdvice(
    AuthErrors.notAuthenticated,
    'Production does not accept test tokens. Use a live token.',
  ),
})
