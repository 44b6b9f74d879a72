import { setImmediate } from 'node:timers/promises'

// Written in some 3 ms.
const CHARACTERS_PER_TURN = 512 * 1024

/** Returns JSON like `JSON.stringify`. After each part of a long list, the process does other work first. */
export async function toJsonInTurns(data: unknown): Promise<string> {
  if (!Array.isArray(data)) return JSON.stringify(data ?? null)
  const elements: string[] = []
  let characters = 0
  for (const element of data) {
    const json = JSON.stringify(element ?? null)
    elements.push(json)
    characters += json.length
    if (characters < CHARACTERS_PER_TURN) continue
    characters = 0
    await setImmediate()
  }
  return `[${elements.join(',')}]`
}
