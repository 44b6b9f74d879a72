import { type Static, Type } from 'typebox'
import { Shape } from '#shared/platform/http/schema.ts'

/** The pages that mails lead to, and where each is on its site unless the store's settings say otherwise. */
export const DEFAULT_PATHS = {
  verify_email: '/verify-email',
  reset_password: '/reset-password',
  change_email: '/change-email',
  staff_password: '/admin/reset-password',
  staff_email: '/admin/change-email',
} as const
export type LinkedPage = keyof typeof DEFAULT_PATHS

/** Those that the staff's mails lead to, the owner's among them. */
export const STAFF_PAGES: readonly LinkedPage[] = ['staff_password', 'staff_email']

// A token travels behind the address: not in the clear, but on the machine itself, and behind no other fragment.
const LOCAL = 'http://([a-z0-9-]+\\.)*localhost(:\\d{1,5})?(/[^\\s#]*)?'
const Page = Type.String({
  maxLength: 500,
  pattern: `^(https://[^\\s#]+|${LOCAL})$`,
  description: 'https, without a fragment',
})

/** Where the store's pages are that mails lead to; one left out is on the store's own domain. */
export const Links = Shape(
  {
    verify_email: Type.Optional(Page),
    reset_password: Type.Optional(Page),
    change_email: Type.Optional(Page),
    staff_password: Type.Optional(Page),
    staff_email: Type.Optional(Page),
  },
  {
    description:
      'The pages that mails lead to, with `#token=…` behind. One left out is on the store’s own domain, the staff’s at the ' +
      'address of the service. Passwords are chosen there: a person changes them, no API token, and `staff_password` ' +
      'and `staff_email` the owner alone',
  },
)
export type Links = Static<typeof Links>
