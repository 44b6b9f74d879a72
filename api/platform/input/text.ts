import { RequestErrors } from '#api/platform/errors.ts'

/** The most levels and values of a JSON body. */
export const MAX_DEPTH = 32
export const MAX_VALUES = 100_000

/**
 * Throws 400 for text that PostgreSQL cannot store unchanged. It refuses NUL, and silently replaces half a surrogate
 * pair by another character.
 */
export function rejectUnstorable(text: string, where: string): void {
  if (text.includes('\0')) throw RequestErrors.malformed({ why: `${where} holds a NUL character` })
  if (!text.isWellFormed())
    throw RequestErrors.malformed({
      why: `${where} holds half of a surrogate pair`,
    })
}

/**
 * Throws 400 for a parsed JSON value with more than 32 levels or 100,000 values, or with text or numbers that cannot be
 * stored. It does not recurse, so that a deep value cannot overflow the stack, here or later.
 */
export function rejectHostileJson(value: unknown): void {
  const open: { item: unknown; depth: number }[] = [{ item: value, depth: 1 }]
  let values = 1
  for (let next = open.pop(); next; next = open.pop()) {
    const { item, depth } = next
    if (typeof item === 'string') rejectUnstorable(item, 'the body')
    else if (typeof item === 'number' && !Number.isFinite(item))
      throw RequestErrors.malformed({
        why: 'the body holds a number that is too large',
      })
    else if (item !== null && typeof item === 'object') {
      if (depth > MAX_DEPTH)
        throw RequestErrors.malformed({
          why: `the body is nested deeper than ${MAX_DEPTH} levels`,
        })
      const inside: unknown[] = Array.isArray(item) ? item : Object.values(item)
      values += inside.length
      if (values > MAX_VALUES)
        throw RequestErrors.malformed({ why: `the body holds more than ${MAX_VALUES} values` })
      if (!Array.isArray(item)) for (const key of Object.keys(item)) rejectUnstorable(key, 'the body')
      for (const inner of inside) open.push({ item: inner, depth: depth + 1 })
    }
  }
}

/** Whether a parsed JSON value holds at most this many values, itself included. */
export function holdsAtMost(most: number, value: unknown): boolean {
  const open = [value]
  let values = 1
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (item === null || typeof item !== 'object') continue
    const inside: unknown[] = Array.isArray(item) ? item : Object.values(item)
    values += inside.length
    if (values > most) return false
    open.push(...inside)
  }
  return true
}
