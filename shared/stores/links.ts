import { type Static, Type } from 'typebox'
import { Shape } from '../platform/schema.ts'

/** The pages that mails lead to, and where each is on its site unless the store's settings say otherwise. */
export const DEFAULT_PATHS = {
  verify_email: '/verify-email',
  reset_password: '/reset-password',
  staff_password: '/admin/reset-password',
} as const
export type LinkedPage = keyof typeof DEFAULT_PATHS

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
    staff_password: Type.Optional(Page),
  },
  {
    description:
      'The pages that mails lead to, with `#token=…` behind. One left out is on the own domain, the staff’s at the ' +
      'address of the service. Passwords are chosen there: a person changes them, no API token, and `staff_password` ' +
      'the owner alone',
  },
)
export type Links = Static<typeof Links>
