import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { log } from '#shared/platform/log.ts'
import { defineSecrets } from '#shared/platform/secrets/secrets.ts'
import { notifications } from './listen.ts'

// A notification has fewer than 8,000 bytes; the id and two numbers precede the part.
const PART_LENGTH = 7_800

/** Replies are sent between processes, encrypted, and stored in no table. */
export const replySecrets = defineSecrets(
  'replies between processes',
  null,
  ({ id }: { id: string }) => `answer ${id}`,
)

/** A received reply, or the reason why none was received. */
export type ReplyResult = { text: string } | { missing: 'late' | 'lost' }

interface PendingReply {
  parts: string[]
  waiters: number
  resolve: (reply: ReplyResult) => void
  received: Promise<ReplyResult>
}

const pendingReplies = new Map<string, PendingReply>()
let waiting = 0

/**
 * Sends `text` to the processes that await the reply `id` when the transaction commits: by NOTIFY, in encrypted parts.
 * Use it for data that must not be stored.
 */
export async function sendReply(tx: StoreTx, id: string, text: string): Promise<void> {
  const parts =
    replySecrets
      .of({ id })
      .seal(text)
      .match(new RegExp(`.{1,${PART_LENGTH}}`, 'g')) ?? []
  const payloads = parts.map((part, i) => `${id} ${i} ${parts.length} ${part}`)
  await tx.knex.raw("select pg_notify('replies', payload) from unnest(?::text[]) payload", [payloads])
}

/**
 * Starts to wait for the reply `id`. Call it after `listen()` has resolved, in the transaction of the request, so that
 * no reply is sent earlier. The promise is inside an object, because a bare promise would keep the transaction open.
 */
export function awaitReply(id: string, timeoutMs: number): { reply: Promise<ReplyResult> } {
  const entry = pendingReplies.get(id) ?? openPendingReply(id)
  const late = Promise.withResolvers<ReplyResult>()
  const timer = setTimeout(() => late.resolve({ missing: 'late' }), timeoutMs)
  waiting += 1
  const reply = Promise.race([entry.received, late.promise]).finally(() => {
    clearTimeout(timer)
    waiting -= 1
    // The last waiter deletes the entry.
    if (--entry.waiters === 0 && pendingReplies.get(id) === entry) pendingReplies.delete(id)
  })
  entry.waiters += 1
  return { reply }
}

/** Returns the number of replies that this process awaits. */
export const countPendingReplies = (): number => waiting

function openPendingReply(id: string): PendingReply {
  const { promise, resolve } = Promise.withResolvers<ReplyResult>()
  const entry = { parts: [], waiters: 0, resolve, received: promise }
  pendingReplies.set(id, entry)
  return entry
}

notifications.on('replies', (payload) => {
  const [id = '', index, count, part = ''] = payload.split(' ')
  const entry = pendingReplies.get(id)
  if (!entry) return
  entry.parts[Number(index)] = part
  if (Object.keys(entry.parts).length < Number(count)) return
  pendingReplies.delete(id)
  entry.resolve(open(id, entry.parts.join('')))
})

// The sender may have newer keys than this process.
function open(id: string, sealed: string): ReplyResult {
  try {
    return { text: replySecrets.of({ id }).open(sealed) }
  } catch (error) {
    log.error({ err: error }, 'a reply could not be decrypted')
    return { missing: 'lost' }
  }
}

notifications.on('lost', () => {
  for (const { resolve } of pendingReplies.values()) resolve({ missing: 'lost' })
  pendingReplies.clear()
})
