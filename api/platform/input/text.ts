import { RequestErrors } from '../output/errors.ts'

const MAX_DEPTH = 32

/**
 * Refuses text that PostgreSQL cannot keep as it is: NUL is an error to it, and half a surrogate pair would silently
 * become another character.
 */
export function rejectUnstorable(text: string, where: string): void {
  if (text.includes('\0')) throw RequestErrors.malformed({ why: `${where} holds a NUL character` })
  if (!text.isWellFormed())
    throw RequestErrors.malformed({
      why: `${where} holds half of a surrogate pair`,
    })
}

/**
 * Walks a parsed JSON value without recursion: refuses it past 32 levels, and with strings or keys that cannot be
 * stored. Depth is bounded here so that nothing after it overflows its stack.
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
