import { AuthErrors } from '#shared/identity/errors.ts'
import { defineErrors, withAdvice } from '#shared/platform/errors.ts'

const OWNER_PROTECTED = { code: 'user.owner_protected', status: 403 } as const

export const StaffErrors = defineErrors({
  refundForbidden: {
    code: 'order.refund_forbidden',
    status: 403,
    message: 'Your role may not refund. Ask someone whose role holds the right "refund".',
  },
  paymentForbidden: {
    code: 'order.payment_forbidden',
    status: 403,
    message: 'Your role may not mark orders as paid. Ask someone whose role holds the right "mark_paid".',
  },
  ownerProtected: {
    ...OWNER_PROTECTED,
    message:
      'Only the owner can change this account. The owner makes someone else the owner by POST /admin/owner/transfer.',
  },
  /** The same code as `ownerProtected`, for the owner. */
  ownerStays: {
    ...OWNER_PROTECTED,
    message:
      'You are the owner. Transfer the store by POST /admin/owner/transfer first; then your role and account can be changed.',
  },
  ownerOnly: {
    code: 'user.owner_only',
    status: 403,
    message: 'Only the owner of the store may do this. Ask them to.',
  },
  ownTwoFactor: {
    code: 'user.own_two_factor',
    status: 403,
    message: 'Switch your own two-factor sign-in off by POST /auth/2fa/disable, with a code of yours.',
  },
  ownEmail: {
    code: 'user.own_email',
    status: 403,
    message:
      'Change your own e-mail address by POST /auth/email: it takes your password and the new mailbox.',
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
      'You can grant only rights that you hold, and change only members and roles whose rights you hold. Ask the owner.',
  },
})

export const RoleErrors = defineErrors({
  nameTaken: {
    code: 'role.name_taken',
    status: 409,
    message: 'The store has a role of this name, or it is the name of a preset. Choose another.',
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
  tooMany: {
    code: 'role.too_many',
    status: 409,
    message: 'A store has at most 100 custom roles. Delete one without members.',
  },
})

/** Expired tokens have the codes of expired sessions, so that a client handles both alike. */
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
  tooMany: {
    code: 'api_tokens.limit_reached',
    status: 409,
    message: ({ limit }) => `A store can have ${limit} API tokens at most. Revoke one first.`,
  },
  testOnly: withAdvice(
    AuthErrors.notAuthenticated,
    'This is a test token, which production does not take. Use a live one.',
  ),
})
