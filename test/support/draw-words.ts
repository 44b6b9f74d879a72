import { randomUUID } from 'node:crypto'
import { PASSWORD } from './build-accounts.ts'
import type { Words } from './draw-value.ts'
import type { FurnishedStore } from './furnish-store.ts'
import { IN_QUERIES } from './names-in-requests.ts'

/** Where requests are drawn for: a store with something of everything, and another one. */
export interface Ground {
  own: FurnishedStore
  strange: FurnishedStore
  /** All that `own` keeps, by table. */
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

/** All texts that the store's own things are called by, a few of another's, and a few that everybody uses. */
export function wordsOf({ own, strange, rows }: Ground): Words {
  const ids = JSON.stringify(rows).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []
  const any = [...textsIn(own), ...textsIn(strange).slice(0, 20), ...ids, ...USUAL, ...TIMES, randomUUID()]
  return { any: [...new Set(any)], of: (field) => IN_QUERIES[field]?.(own) ?? [] }
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []
}
