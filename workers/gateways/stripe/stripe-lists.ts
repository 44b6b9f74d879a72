import { setTimeout } from 'node:timers/promises'
import type Stripe from 'stripe'
import { callStripe } from './stripe-client.ts'

const PAGE = 100
/** The most pages of a list of the whole account: ten million items. */
const MOST_PAGES = 100_000

interface Walk {
  mostPages?: number
  /** The pause after each page. */
  pauseMs?: number
}

/** The list of one payment or customer. */
export const SHORT_LIST: Walk = { mostPages: 100 }

/**
 * Returns the items of a list at the gateway, page by page. The library's own iterator follows `has_more` without end,
 * even if a page repeats, and takes as many items from a page as its `data` claims to have.
 */
export async function* walkList<T extends { id: string }>(
  readPage: (api: Stripe, page: { limit: number; starting_after?: string }) => Promise<Stripe.ApiList<T>>,
  { mostPages = MOST_PAGES, pauseMs = 0 }: Walk = {},
): AsyncGenerator<T> {
  const cursors = new Set<string>()
  let cursor: string | undefined
  do {
    const after = cursor === undefined ? {} : { starting_after: cursor }
    const page = await callStripe((api) => readPage(api, { limit: PAGE, ...after }))
    const items = itemsOf(page)
    yield* items
    cursor = page.has_more ? nextCursor(items, cursors) : undefined
    if (cursors.size >= mostPages) throw new Error(`A list of the gateway has more than ${mostPages} pages`)
    if (cursor && pauseMs) await setTimeout(pauseMs)
  } while (cursor)
}

function itemsOf<T extends { id: string }>({ data }: Stripe.ApiList<T>): T[] {
  const isPage = Array.isArray(data) && data.length <= PAGE && data.every(isItem)
  if (!isPage) throw new Error('The gateway sent no page of a list')
  return data
}

const isItem = (item: unknown): boolean =>
  item instanceof Object && 'id' in item && typeof item.id === 'string' && item.id !== ''

function nextCursor(items: { id: string }[], cursors: Set<string>): string {
  const cursor = items.at(-1)?.id
  if (!cursor || cursors.has(cursor)) throw new Error('The gateway repeats the pages of a list')
  cursors.add(cursor)
  return cursor
}
