/** An item in the till's wire format. Unknown fields are empty or missing, as in real systems. */
export interface TillItem {
  id: string
  name: string
  type: string
  is_active: boolean | number | string
  code?: string | null
  sku?: string | null
  barcode?: string | number | null
  unit?: string | null
  /** Usually text, sometimes a number. */
  price: string | number | null
  vat_percent?: string | number | null
  category_id?: string | null
  category_name?: string | null
  image_url?: string | null
  update_date?: string | null
}

const CATEGORIES = ['Rope', 'Lanterns', 'Oilskins', 'Tableware', 'Tools', 'Paint', 'Knots', 'Charts']
const THINGS = ['cleat', 'mug', 'brush', 'jacket', 'lamp', 'block', 'shackle', 'tin', 'bucket', 'atlas']
const KINDS = ['Plain', 'Tarred', 'Brass', 'Oak', 'Enamel', 'Waxed', 'Storm']
const UNITS = ['pcs', 'm', 'kg', 'l', 'pair', 'pcs']
const FIRST_CHANGE = Date.UTC(2026, 0, 1)
const HOUR_MS = 3_600_000

/** This many items, the same at every start: each changed an hour after the previous one; a few are unusual. */
export const makeItems = (count: number): TillItem[] =>
  Array.from({ length: count }, (_, i) => ({ ...plainItem(i + 1), ...ODD[i + 1] }))

function plainItem(n: number): TillItem {
  const category = n % CATEGORIES.length
  const number = String(n).padStart(5, '0')
  return {
    id: `item-${number}`,
    name: `${KINDS[n % KINDS.length]} ${THINGS[n % THINGS.length]} no. ${n}`,
    type: n % 40 === 0 ? 'service' : 'product',
    is_active: n % 10 !== 0,
    code: `C${number}`,
    sku: `TILL-${number}`,
    barcode: `40${String(n * 7_919).padStart(11, '0')}`,
    unit: UNITS[n % UNITS.length] ?? '',
    price: n % 7 === 0 ? (n % 100) + 0.5 : `${n % 100}.90`,
    vat_percent: n % 3 === 0 ? '7' : '19.00',
    category_id: `cat-${category}`,
    category_name: CATEGORIES[category] ?? '',
    image_url: `https://till.example/images/${number}.jpg`,
    update_date: new Date(FIRST_CHANGE + n * HOUR_MS).toISOString(),
  }
}

/** Unusual items by number: cases that a client of a till must handle. */
const ODD: Record<number, Partial<TillItem>> = {
  // Required fields only.
  11: {
    code: '',
    sku: null,
    barcode: '',
    unit: '',
    vat_percent: '',
    category_id: '',
    category_name: null,
    image_url: '',
    update_date: null,
  },
  12: { price: '' },
  13: { price: 'on request' },
  14: { price: '12.3456' },
  15: { price: '0012.500', vat_percent: '19,0' },
  16: { is_active: 1, barcode: 4_006_381_333_931 },
  17: { is_active: 'true', unit: 'Fathom' },
  18: { update_date: '2026-02-01T10:00:00+02:00' },
  19: { id: '19/ö ?&=#', sku: '' },
  20: {
    name: 'Turned \u202eback\u202c and \u0000 struck',
    image_url: 'https://till.example/\u0000.jpg',
    update_date: 'yesterday',
  },
  // The same SKU as the previous item.
  22: { sku: 'TILL-00021' },
  23: { sku: '', code: '' },
}

export interface ItemFilter {
  q?: string | undefined
  categoryId?: string | undefined
  isActive?: boolean | undefined
  updatedSince?: Date | undefined
}

/** The items that match a filter, in the order of their numbers. */
export function filterItems(items: readonly TillItem[], filter: ItemFilter): TillItem[] {
  const { categoryId, isActive, updatedSince } = filter
  const q = filter.q?.toLowerCase()
  return items.filter(
    (item) =>
      (!q || [item.name, item.sku, item.code, item.barcode].some((text) => contains(text, q))) &&
      (categoryId === undefined || item.category_id === categoryId) &&
      (isActive === undefined || isOn(item.is_active) === isActive) &&
      (!updatedSince || Date.parse(item.update_date ?? '') >= updatedSince.getTime()),
  )
}

const contains = (text: unknown, q: string) =>
  String(text ?? '')
    .toLowerCase()
    .includes(q)

const isOn = (flag: TillItem['is_active']) => [true, 1, 'true'].includes(flag)
