const MASK = '[secret]'
const SECRET =
  /(^|_)(password|secret|secrets|token|tokens|totp|credentials|iban|api_key|private_key|recovery_codes?|payout_details|voucher_code|otpauth_uri|qr_svg)(_hash)?$|^key$/

const CODE_END = 4
const LONGEST_TEXT = 1_000
const MOST_ITEMS = 100
const DEEPEST = 8
const LARGEST = 64 * 1024

/**
 * What the log keeps of a resource: plain JSON, secrets masked by their names, a voucher's code but for its end, long
 * texts and lists cut.
 */
export function redact(value: unknown, resourceType: string): unknown {
  if (value === undefined || value === null) return null
  const plain = JSON.parse(JSON.stringify(value) ?? 'null')
  const kept = shorten(resourceType === 'vouchers' ? hideCode(plain) : plain, 0)
  const size = JSON.stringify(kept).length
  return size > LARGEST ? { cut: `${size} characters` } : kept
}

// Whoever reads a gift voucher's code can spend it. Its end tells one from another.
function hideCode<T extends { code?: unknown }>(voucher: T): T {
  if (typeof voucher.code !== 'string') return voucher
  const letters = [...voucher.code]
  const isLong = letters.length >= 2 * CODE_END
  return { ...voucher, code: isLong ? `…${letters.slice(-CODE_END).join('')}` : MASK }
}

function shorten(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? cutText(value) : value
  if (value === null || typeof value !== 'object') return value
  if (depth === DEEPEST) return '[cut]'
  if (Array.isArray(value)) return cutList(value.map((item) => shorten(item, depth + 1)))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mask(name, member) ?? shorten(member, depth + 1)]),
  )
}

// That a secret was set or taken away is worth knowing; what it is, is not.
const mask = (name: string, value: unknown): string | undefined =>
  value !== null && typeof value !== 'boolean' && SECRET.test(snakeCase(name)) ? MASK : undefined

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const cutText = (text: string): string =>
  `${text.slice(0, LONGEST_TEXT).toWellFormed()}… (${text.length} characters)`

const cutList = (items: unknown[]): unknown[] =>
  items.length > MOST_ITEMS ? [...items.slice(0, MOST_ITEMS), `… ${items.length - MOST_ITEMS} more`] : items
