const MASK = '[secret]'
const SECRET =
  /(^|_)(password|secret|secrets|token|tokens|totp|credentials|iban|api_key|private_key|recovery_codes?|payout_details|voucher_code|otpauth_uri|qr_svg)(_hash)?$|^key$/

const VISIBLE_CODE_LENGTH = 4
const MAX_TEXT_LENGTH = 1_000
const MAX_ITEMS = 100
const MAX_DEPTH = 8
const MAX_SIZE = 64 * 1024

/** A resource as the log stores it: plain JSON with masked secrets, voucher codes and payout details, and with long texts and lists cut. */
export function redact(value: unknown, resourceType: string): unknown {
  if (value === undefined || value === null) return null
  const plain = JSON.parse(JSON.stringify(value) ?? 'null')
  const shown = resourceType === 'affiliates' ? hidePayout(plain) : omitLists(plain, resourceType)
  const redacted = shorten(resourceType === 'vouchers' ? hideCode(plain) : shown, 0)
  const size = JSON.stringify(redacted).length
  return size > MAX_SIZE ? { cut: `${size} characters` } : redacted
}

/** Lists of other records that the read of a resource shows beside it. */
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
  return lists ? Object.fromEntries(Object.entries(plain).filter(([name]) => !lists.includes(name))) : plain
}

// Staff with the right `system` read the log; payout details need `reports`.
const hidePayout = (plain: { payout?: unknown }): object =>
  plain.payout ? { ...plain, payout: MASK } : plain

// A gift voucher's code is money. Its last characters are enough to identify it.
function hideCode<T extends { code?: unknown }>(voucher: T): T {
  if (typeof voucher.code !== 'string') return voucher
  const letters = [...voucher.code]
  const isLong = letters.length >= 2 * VISIBLE_CODE_LENGTH
  return { ...voucher, code: isLong ? `…${letters.slice(-VISIBLE_CODE_LENGTH).join('')}` : MASK }
}

function shorten(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT_LENGTH ? cutText(value) : value
  if (value === null || typeof value !== 'object') return value
  if (depth === MAX_DEPTH) return '[cut]'
  if (Array.isArray(value)) return cutList(value.map((item) => shorten(item, depth + 1)))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mask(name, member) ?? shorten(member, depth + 1)]),
  )
}

// A boolean or null shows that a secret was set or removed, and is kept.
const mask = (name: string, value: unknown): string | undefined =>
  value !== null && typeof value !== 'boolean' && SECRET.test(snakeCase(name)) ? MASK : undefined

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const cutText = (text: string): string =>
  `${text.slice(0, MAX_TEXT_LENGTH).toWellFormed()}… (${text.length} characters)`

const cutList = (items: unknown[]): unknown[] =>
  items.length > MAX_ITEMS ? [...items.slice(0, MAX_ITEMS), `… ${items.length - MAX_ITEMS} more`] : items
