import type { RemoteItem, RemotePage } from '#shared/remote-catalog/remote-item.ts'

type Fields = Record<string, unknown>

const MAX_ID_LENGTH = 200

/** Parses a page of at most `maxItems` items. Null for an invalid page. */
export function readPage(json: string, maxItems: number): RemotePage | null {
  const { items, total } = fieldsOf(parse(json))
  if (!Array.isArray(items) || items.length > maxItems || !/^\d{1,15}$/.test(textOf(total))) return null
  const read = items.map(itemOf).filter((item) => item !== null)
  return read.length === items.length ? { items: read, total: Number(total) } : null
}

/** Parses one item. Null for an invalid item. */
export const readItem = (json: string): RemoteItem | null => itemOf(parse(json))

/** The third argument of a reviver, which TypeScript does not declare yet. */
interface Source {
  source: string
}

/** Parses JSON and keeps numbers as text: 12.50 must not become 12.5, and a long barcode must not be rounded. */
function parse(json: string): unknown {
  const asText = (_key: string, value: unknown, context?: Source) =>
    typeof value === 'number' ? context?.source : value
  try {
    return JSON.parse(json, asText)
  } catch {
    return null
  }
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** Returns an item; null without a valid id, because it could not be linked or imported. */
function itemOf(value: unknown): RemoteItem | null {
  const given = fieldsOf(value)
  const id = textOf(given.id)
  if (!id || id.length > MAX_ID_LENGTH || /\p{Cc}/u.test(id)) return null
  return {
    id,
    name: textOf(given.name),
    type: textOf(given.type),
    is_active: /^(true|1)$/i.test(textOf(given.is_active)),
    code: textOf(given.code),
    sku: textOf(given.sku),
    barcode: textOf(given.barcode),
    unit: textOf(given.unit),
    price: textOf(given.price),
    vat_percent: textOf(given.vat_percent),
    category_id: textOf(given.category_id),
    category_name: textOf(given.category_name),
    image_url: textOf(given.image_url),
    update_date: dateOf(textOf(given.update_date)),
  }
}

/** Converts strings, numbers and booleans to well-formed text, and other types to an empty text. */
function textOf(value: unknown): string {
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? value.toWellFormed() : ''
}

const YEAR_0 = new Date('0000-01-01T00:00:00.000Z')
const YEAR_9999 = new Date('9999-12-31T23:59:59.999Z')

/** Returns a date in ISO 8601, UTC. Null for an invalid date, or a year without four digits. */
function dateOf(text: string): string | null {
  const date = new Date(text)
  return date >= YEAR_0 && date <= YEAR_9999 ? date.toISOString() : null
}
