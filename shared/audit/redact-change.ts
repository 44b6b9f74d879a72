import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { isSecretField } from '#shared/platform/secrets/secret-field.ts'
import { changedFields, type Sides } from './changed-fields.ts'

const MASK = '[secret]'
const VISIBLE_END_LENGTH = 4
const MAX_DEPTH = 8
/** The most bytes of one field's JSON. A larger field is cut with each of the limits until it fits. */
const MAX_FIELD_SIZE = 8 * 1024
const LIMITS: readonly Limits[] = [
  { text: 1_000, items: 100 },
  { text: 200, items: 50 },
  { text: 60, items: 20 },
]

/** The longest text and the most items of a list. */
interface Limits {
  text: number
  items: number
}

/**
 * Returns the stored form of a change: the fields that have changed, with masked secrets and authors' addresses, and
 * the ends of voucher codes and payout details. Each field is cut separately, so that a long field never hides another.
 */
export function redactChange({ before, after }: Sides, resourceType: string): Sides {
  const plain = { before: toPlain(before, resourceType), after: toPlain(after, resourceType) }
  const changed = changedFields(plain)
  return { before: redact(changed.before, resourceType), after: redact(changed.after, resourceType) }
}

const toPlain = (value: unknown, resourceType: string): unknown =>
  value === undefined || value === null
    ? null
    : omitLists(JSON.parse(JSON.stringify(value) ?? 'null'), resourceType)

/** Returns a resource in plain JSON as the log stores it. */
function redact(plain: unknown, resourceType: string): unknown {
  if (plain === null || typeof plain !== 'object' || Array.isArray(plain)) return boundField(plain)
  const hidden = hideField(plain, HIDDEN_FIELDS[resourceType])
  return Object.fromEntries(
    Object.entries(hidden).map(([name, value]) => [name, mask(name, value) ?? boundField(value)]),
  )
}

/**
 * Cuts long texts and lists in a field. A field that is still too long becomes its size and hash, so that a change is
 * visible.
 */
function boundField(value: unknown): unknown {
  for (const limits of LIMITS) {
    const shortened = shorten(value, limits, 1)
    if (Buffer.byteLength(JSON.stringify(shortened ?? null)) <= MAX_FIELD_SIZE) return shortened
  }
  const text = JSON.stringify(value)
  return { cut: `${text.length} characters`, sha256: sha256(text).toString('hex') }
}

/** The lists of other records that responses contain beside a resource. */
const LISTS: Record<string, readonly string[]> = {
  customers: [
    'addresses',
    'sessions',
    'latest_orders',
    'latest_returns',
    'latest_subscriptions',
    'latest_vouchers',
  ],
}

const omitLists = (plain: object, resourceType: string): object => {
  const lists = LISTS[resourceType]
  return lists && !Array.isArray(plain)
    ? Object.fromEntries(Object.entries(plain).filter(([name]) => !lists.includes(name)))
    : plain
}

interface HiddenField {
  field: string
  /** Returns the stored form of its value. */
  hide: (value: unknown) => unknown
}

/**
 * The fields that their resource shows to fewer people than the log. A voucher's code is money. Payout details need the
 * right `reports:read`, and the addresses of authors `customers:read`.
 */
const HIDDEN_FIELDS: Readonly<Record<string, HiddenField>> = {
  vouchers: { field: 'code', hide: endOf },
  affiliates: { field: 'payout', hide: hidePayout },
  questions: { field: 'author_email', hide: () => MASK },
}

function hideField(plain: object, hidden: HiddenField | undefined): object {
  if (hidden === undefined) return plain
  const value = (plain as Record<string, unknown>)[hidden.field]
  return value ? { ...plain, [hidden.field]: hidden.hide(value) } : plain
}

/** Returns the last characters of a text, which are enough to identify it. Nothing is left of a short text. */
function endOf(value: unknown): string {
  const letters = typeof value === 'string' ? [...value.trim()] : []
  const isLong = letters.length >= 2 * VISIBLE_END_LENGTH
  return isLong ? `…${letters.slice(-VISIBLE_END_LENGTH).join('')}` : MASK
}

/** Returns the method of a payout and the ends of its details: after a fraud they show who was paid. */
function hidePayout(payout: unknown): unknown {
  // An unchanged method, or unchanged details, are absent.
  const { details, ...method } = payout as { details?: string | Record<string, string> }
  if (details === undefined) return method
  return {
    ...method,
    details: typeof details === 'string' ? endOf(details) : Object.values(details).map(endOf),
  }
}

function shorten(value: unknown, limits: Limits, depth: number): unknown {
  if (typeof value === 'string') return value.length > limits.text ? cutText(value, limits.text) : value
  if (value === null || typeof value !== 'object') return value
  if (depth === MAX_DEPTH) return '[cut]'
  if (Array.isArray(value)) {
    const items = value.slice(0, limits.items).map((item) => shorten(item, limits, depth + 1))
    return value.length > limits.items ? [...items, `… ${value.length - limits.items} more`] : items
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      mask(name, member) ?? shorten(member, limits, depth + 1),
    ]),
  )
}

// A boolean or null shows that a secret was set or removed, and is kept.
const mask = (name: string, value: unknown): string | undefined =>
  value !== null && typeof value !== 'boolean' && isSecretField(name) ? MASK : undefined

const cutText = (text: string, length: number): string =>
  `${text.slice(0, length).toWellFormed()}… (${text.length} characters)`
