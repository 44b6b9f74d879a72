/** Names of JSON fields that hold personal data in views, events and responses. */
const PERSONAL = new Set([
  'email',
  'firstname',
  'lastname',
  'telephone',
  'note',
  'comment',
  'message',
  'reason',
  'tax_number',
  'tracking_number',
  'tracking_url',
  'metadata',
  'card',
  'author_name',
  'author_email',
  'from_name',
  'from_email',
  'to_name',
  'to_email',
  'company',
  'address_1',
  'address_2',
  'city',
  'zone',
  'ip',
  'user_agent',
])

const ERASED_DOMAIN = 'anonymized.invalid'

/** Returns an address that replaces a person's: unique, and of a domain that does not exist (RFC 2606). */
export const erasedEmail = (id: string): string => `${id}@${ERASED_DOMAIN}`

/** Whether an address replaces a person's. No mail is sent to it. */
export const isErasedEmail = (email: string): boolean => email.endsWith(`@${ERASED_DOMAIN}`)

/**
 * Returns a JSON value in which personal data are empty texts. It removes cards, and metadata, which can contain any
 * data. `id` replaces the person in e-mail addresses.
 */
export function eraseFields(value: unknown, id: string): unknown {
  if (Array.isArray(value)) return value.map((item) => eraseFields(item, id))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      PERSONAL.has(name) ? blank(name, member, id) : eraseFields(member, id),
    ]),
  )
}

function blank(name: string, value: unknown, id: string): unknown {
  if (name === 'metadata') return {}
  if (name === 'card') return null
  if (typeof value !== 'string') return eraseFields(value, id)
  return name.endsWith('email') ? erasedEmail(id) : ''
}
