import { randomUUID } from 'node:crypto'
import { PASSWORD } from '#test/support/builders/accounts.ts'
import type { FullStore } from '#test/support/builders/full-store.ts'
import type { Words } from '#test/support/requests/draw-value.ts'
import { IN_QUERIES } from '#test/support/requests/names-in-requests.ts'

/** The targets of random requests: a store with one record of every kind, and another store. */
export interface Targets {
  own: FullStore
  other: FullStore
  /** All rows of `own`, by table. */
  rows: Record<string, string[]>
}

const USUAL = [
  PASSWORD,
  'EUR',
  'USD',
  'DE',
  'US',
  'US-CA',
  'en',
  'https://shop.example/x',
  'ada@example.test',
]
const TIMES = ['2020-01-01T00:00:00Z', '2030-01-01T00:00:00.000Z', '2026-02-28', '2026-10-10']

/** All identifiers of the store's own records, some of another store's, and some common words. */
export function wordsOf({ own, other, rows }: Targets): Words {
  const ids = JSON.stringify(rows).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []
  const any = [...textsIn(own), ...textsIn(other).slice(0, 20), ...ids, ...USUAL, ...TIMES, randomUUID()]
  return { any: [...new Set(any)], of: (field) => IN_QUERIES[field]?.(own) ?? [] }
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []
}
