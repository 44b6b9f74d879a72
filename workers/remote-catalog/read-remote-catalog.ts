import { config } from '#shared/platform/config/config.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { log } from '#shared/platform/log.ts'
import { suspend } from '#shared/platform/throttle/throttle.ts'
import { answerRead, type DueRead, findDueRead } from '#shared/remote-catalog/answer-read.ts'
import { readRemoteCatalog as job } from '#shared/remote-catalog/jobs.ts'
import type { RemoteQuestion } from '#shared/remote-catalog/question.ts'
import type { RemoteAnswer } from '#shared/remote-catalog/remote-item.ts'
import {
  createRemoteCatalogGateway,
  type RemoteCatalogGateway,
  RemoteFailure,
  RemoteTooSoon,
} from '#workers/gateways/remote-catalog.ts'
import { handle } from '#workers/platform/handle.ts'
import { NoTurn, takeTurns } from './turns.ts'

// So that the callers hear why before their own patience ends.
const MARGIN_MS = 250

let opened: RemoteCatalogGateway | undefined

const gateway = (): RemoteCatalogGateway => {
  opened ??= createRemoteCatalogGateway({ allowLocal: config().ALLOW_LOCAL_HOSTS })
  return opened
}

const inTurn = takeTurns()

/** Asks the external system what somebody waits for, and hands the answer over. Nothing of it is kept. */
export const readRemoteCatalog = handle(job, async ({ storeId, readId, question }, { signal }) => {
  const due = await findDueRead(storeId, readId)
  if (!due) return
  const answer = await ask(due, question, signal).catch((error) => faultOf(error, storeId))
  await inStore(storeId, (tx) => answerRead(tx, readId, answer))
})

function ask(due: DueRead, question: RemoteQuestion, signal: AbortSignal): Promise<RemoteAnswer> {
  const until = new Date(due.expiresAt.getTime() - MARGIN_MS)
  return inTurn(due.pace, until, signal, (whileInTime) =>
    read(due, question, whileInTime).catch(async (error) => {
      // Before anybody else has a turn.
      if (error instanceof RemoteTooSoon) await suspend(due.pace, error.waitMs)
      throw error
    }),
  )
}

async function read(due: DueRead, question: RemoteQuestion, signal: AbortSignal): Promise<RemoteAnswer> {
  if ('item_id' in question) return { item: await gateway().item(due, question.item_id, signal) }
  return { page: await gateway().page(due, question, signal) }
}

/** What the callers are told; what they cannot be told is a bug. */
function faultOf(error: unknown, storeId: string): RemoteAnswer {
  if (error instanceof RemoteFailure) {
    log.warn({ storeId, why: error.message, cause: codeOf(error.cause) }, 'an external system failed')
    return { fault: 'unavailable', why: error.message }
  }
  if (!(error instanceof RemoteTooSoon || error instanceof NoTurn)) throw error
  if (error instanceof RemoteTooSoon) log.warn({ storeId, waitMs: error.waitMs }, error.message)
  return { fault: 'rate_limited', retryAfter: Math.max(1, Math.ceil(error.waitMs / 1_000)) }
}

const codeOf = (cause: unknown): string | undefined =>
  (cause as { code?: string; name?: string } | undefined)?.code ?? (cause as Error | undefined)?.name
