import { currentClient } from '#shared/platform/db/waiting-client.ts'
import { takeTurn } from '#shared/platform/time/take-turn.ts'

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
    await takeTurn(currentClient()?.storeId)
  }
  return `[${elements.join(',')}]`
}
