import { RequestErrors } from '../output/errors.ts'

const MAX_DEPTH = 32

/**
 * Throws 400 for text that PostgreSQL cannot store unchanged: it refuses NUL, and half a surrogate pair silently becomes
 * another character.
 */
export function rejectUnstorable(text: string, where: string): void {
  if (text.includes('\0')) throw RequestErrors.malformed({ why: `${where} holds a NUL character` })
  if (!text.isWellFormed())
    throw RequestErrors.malformed({
      why: `${where} holds half of a surrogate pair`,
    })
}

/**
 * Throws 400 for a parsed JSON value with more than 32 levels, or with text or numbers that cannot be stored. It walks
 * the value without recursion, so that a deep one cannot overflow the stack, here or later.
 */
export function rejectHostileJson(value: unknown): void {
  const open: [unknown, number][] = [[value, 1]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [item, depth] = next
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
      for (const [key, inner] of Object.entries(item)) {
        rejectUnstorable(key, 'the body')
        open.push([inner, depth + 1])
      }
    }
  }
}
