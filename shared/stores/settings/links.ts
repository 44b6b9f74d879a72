import { type Static, Type } from 'typebox'
import { Shape } from '#shared/platform/http/schema.ts'
import { HTTPS_URL } from '#shared/platform/http/web-url.ts'

/** The pages that mails link to, with their default paths. The store's settings can name other URLs. */
export const DEFAULT_PATHS = {
  verify_email: '/verify-email',
  reset_password: '/reset-password',
  change_email: '/change-email',
  order: '/order',
  subscription: '/subscription',
  staff_password: '/admin/reset-password',
  staff_email: '/admin/change-email',
} as const
export type LinkedPage = keyof typeof DEFAULT_PATHS

/** All pages that mails link to. */
export const PAGES = Object.keys(DEFAULT_PATHS) as LinkedPage[]

/** The pages that mails to staff link to. The owner's mails are among them. */
export const STAFF_PAGES: readonly LinkedPage[] = ['staff_password', 'staff_email']

// The token is appended as a fragment, so the URL must not have one. Plain http is allowed only for localhost.
const LOCAL = 'http://([a-z0-9-]+\\.)*localhost(:\\d{1,5})?(/[^\\s"\'<>]*)?'
const Page = Type.String({
  maxLength: 500,
  pattern: `^(?!.*#)(${HTTPS_URL}|${LOCAL})$`,
  description: 'https, without a fragment',
})

/** The URLs of the pages that mails link to. An omitted page has its default path on the store's domain. */
export const Links = Shape(
  {
    verify_email: Type.Optional(Page),
    reset_password: Type.Optional(Page),
    change_email: Type.Optional(Page),
    order: Type.Optional(Page),
    subscription: Type.Optional(Page),
    staff_password: Type.Optional(Page),
    staff_email: Type.Optional(Page),
  },
  {
    description:
      'The pages that mails link to; `#token=…` is appended, and to `order` `#order=…`, with `&token=…` for a guest. ' +
      'An omitted page is on the store’s domain, a staff page at the address of the service. `subscription` is the ' +
      'page on which a customer pays an open charge, gives another card or cancels; `#subscription=…` is appended. ' +
      'API tokens cannot change them, only the owner changes `staff_password` and `staff_email`, and the others need ' +
      'the rights `customers:write` and `sales:read`',
  },
)
export type Links = Static<typeof Links>
