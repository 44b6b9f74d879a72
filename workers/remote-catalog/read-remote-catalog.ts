import { config } from '#shared/platform/config/config.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { log } from '#shared/platform/log.ts'
import { suspend } from '#shared/platform/throttle/throttle.ts'
import { readRemoteCatalog as job } from '#shared/remote-catalog/jobs.ts'
import type { RemoteResponse } from '#shared/remote-catalog/remote-item.ts'
import { type DueRead, findDueRead, sendResponse } from '#shared/remote-catalog/remote-read.ts'
import type { RemoteRequest } from '#shared/remote-catalog/remote-request.ts'
import {
  createRemoteCatalogGateway,
  type RemoteCatalogGateway,
  RemoteFailure,
  RemoteRateLimited,
} from '#workers/gateways/remote-catalog.ts'
import { handle } from '#workers/platform/handle.ts'
import { consumeByteQuota } from './consume-byte-quota.ts'
import { createThrottledCall, ThrottleTimeout } from './throttled-call.ts'

// This much time is left to send a failure to the callers before they stop waiting.
const MARGIN_MS = 250

let opened: RemoteCatalogGateway | undefined

const gateway = (): RemoteCatalogGateway => {
  opened ??= createRemoteCatalogGateway({ allowLocal: config().ALLOW_LOCAL_HOSTS })
  return opened
}

const throttledCall = createThrottledCall()

type LimitedRead = DueRead & { consumeBytes(bytes: number): Promise<void> }

/** Sends a request to the external system, and its response to the waiting callers. It stores neither. */
export const readRemoteCatalog = handle(job, async ({ storeId, readId, request }, { signal }) => {
  const due = await findDueRead(storeId, readId)
  if (!due) return
  const response = due === 'disconnected' ? DISCONNECTED : await respond(storeId, due, request, signal)
  await inStore(storeId, (tx) => sendResponse(tx, readId, response))
})

const DISCONNECTED: RemoteResponse = { fault: 'unavailable', why: 'it was disconnected' }

function respond(
  storeId: string,
  due: DueRead,
  request: RemoteRequest,
  signal: AbortSignal,
): Promise<RemoteResponse> {
  const limited = { ...due, consumeBytes: (bytes: number) => consumeByteQuota(storeId, bytes) }
  return send(limited, request, signal).catch((error) => toFault(error, storeId))
}

function send(due: LimitedRead, request: RemoteRequest, signal: AbortSignal): Promise<RemoteResponse> {
  const deadline = new Date(due.expiresAt.getTime() - MARGIN_MS)
  return throttledCall(due.rate, deadline, signal, (callSignal) =>
    read(due, request, callSignal).catch(async (error) => {
      // Suspend before the slot is released to the next call.
      if (error instanceof RemoteRateLimited) await suspend(due.rate, error.waitMs)
      throw error
    }),
  )
}

async function read(due: LimitedRead, request: RemoteRequest, signal: AbortSignal): Promise<RemoteResponse> {
  if ('item_id' in request) return { item: await gateway().item(due, request.item_id, signal) }
  return { page: await gateway().page(due, request, signal) }
}

/** Converts an expected failure to the response for the callers. Rethrows any other error. */
function toFault(error: unknown, storeId: string): RemoteResponse {
  if (error instanceof RemoteFailure) {
    log.warn({ storeId, why: error.message, cause: codeOf(error.cause) }, 'an external system failed')
    return { fault: 'unavailable', why: error.message }
  }
  if (!(error instanceof RemoteRateLimited || error instanceof ThrottleTimeout)) throw error
  if (error instanceof RemoteRateLimited) log.warn({ storeId, waitMs: error.waitMs }, error.message)
  return { fault: 'rate_limited', retryAfter: Math.max(1, Math.ceil(error.waitMs / 1_000)) }
}

const codeOf = (cause: unknown): string | undefined =>
  (cause as { code?: string; name?: string } | undefined)?.code ?? (cause as Error | undefined)?.name
