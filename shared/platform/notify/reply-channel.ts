import type { StoreTx } from '../db/store-scope.ts'
import { log } from '../log.ts'
import { defineSecrets } from '../secrets/secrets.ts'
import { notifications } from './listen.ts'

// A notification takes fewer than 8,000 bytes; the id and the numbers stand before the part.
const PART_LENGTH = 7_800

/** They pass from process to process, and stand in no table. */
export const replySecrets = defineSecrets(
  'answers on their way to who awaits them',
  null,
  ({ id }: { id: string }) => `answer ${id}`,
)

/** What came of waiting for an answer: its text, or why there is none. */
export type ReplyResult = { text: string } | { missing: 'late' | 'lost' }

interface PendingReply {
  parts: string[]
  left: number
  resolve: (answer: ReplyResult) => void
  answered: Promise<ReplyResult>
}

const awaited = new Map<string, PendingReply>()
let waiting = 0

/**
 * Hands `text` to whoever awaits the answer `id`, when the transaction commits. It travels by NOTIFY, in parts and
 * sealed, and stands in no table: what must not be kept passes from process to process like this.
 */
export async function sendReply(tx: StoreTx, id: string, text: string): Promise<void> {
  const parts =
    replySecrets
      .of({ id })
      .seal(text)
      .match(new RegExp(`.{1,${PART_LENGTH}}`, 'g')) ?? []
  const payloads = parts.map((part, i) => `${id} ${i} ${parts.length} ${part}`)
  await tx.knex.raw("select pg_notify('answers', payload) from unnest(?::text[]) payload", [payloads])
}

/**
 * Begins to wait for the answer `id`, for so long. `listen()` must have resolved, and nobody may be able to answer yet:
 * call it inside the transaction that asks. It is given in an object, for a promise by itself would keep that
 * transaction open.
 */
export function awaitReply(id: string, timeoutMs: number): { answered: Promise<ReplyResult> } {
  const entry = awaited.get(id) ?? openPendingReply(id)
  const late = Promise.withResolvers<ReplyResult>()
  const timer = setTimeout(() => late.resolve({ missing: 'late' }), timeoutMs)
  waiting += 1
  const answered = Promise.race([entry.answered, late.promise]).finally(() => {
    clearTimeout(timer)
    waiting -= 1
    // Whoever came later has a later end; the last one takes the entry away.
    if (--entry.left === 0 && awaited.get(id) === entry) awaited.delete(id)
  })
  entry.left += 1
  return { answered }
}

/** How many wait in this process. */
export const countPendingReplies = (): number => waiting

function openPendingReply(id: string): PendingReply {
  const { promise, resolve } = Promise.withResolvers<ReplyResult>()
  const entry = { parts: [], left: 0, resolve, answered: promise }
  awaited.set(id, entry)
  return entry
}

notifications.on('answers', (payload) => {
  const [id = '', index, count, part = ''] = payload.split(' ')
  const entry = awaited.get(id)
  if (!entry) return
  entry.parts[Number(index)] = part
  if (Object.keys(entry.parts).length < Number(count)) return
  awaited.delete(id)
  entry.resolve(open(id, entry.parts.join('')))
})

// Whoever sealed it may hold newer keys than this process does.
function open(id: string, sealed: string): ReplyResult {
  try {
    return { text: replySecrets.of({ id }).open(sealed) }
  } catch (error) {
    log.error({ err: error }, 'an answer could not be opened')
    return { missing: 'lost' }
  }
}

notifications.on('lost', () => {
  for (const { resolve } of awaited.values()) resolve({ missing: 'lost' })
  awaited.clear()
})
