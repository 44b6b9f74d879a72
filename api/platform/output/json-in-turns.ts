import { currentClient } from '#shared/platform/db/waiting-client.ts'
import { takeTurn } from '#shared/platform/time/take-turn.ts'

// `JSON.stringify` writes so many characters in some 3 ms.
const CHARACTERS_PER_TURN = 512 * 1024

// Shorter lists of a record are written together with the record, because that is faster.
const LONG_LIST = 20

/**
 * Returns the same JSON as `JSON.stringify`. The process does other work after each part of a list, and of a long list
 * in a record.
 */
export async function toJsonInTurns(data: unknown): Promise<string> {
  if (Array.isArray(data)) return listToJson(data)
  return hasLongList(data) ? recordToJson(data) : JSON.stringify(data ?? null)
}

const isLongList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > LONG_LIST

const hasLongList = (data: unknown): data is Record<string, unknown> =>
  typeof data === 'object' && data !== null && !('toJSON' in data) && Object.values(data).some(isLongList)

async function recordToJson(record: Record<string, unknown>): Promise<string> {
  const fields: string[] = []
  for (const [name, value] of Object.entries(record)) {
    const json: string | undefined = isLongList(value) ? await listToJson(value) : JSON.stringify(value)
    if (json !== undefined) fields.push(`${JSON.stringify(name)}:${json}`)
  }
  return `{${fields.join(',')}}`
}

async function listToJson(data: unknown[]): Promise<string> {
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
