import { type Reply, reply } from '#api/platform/output/reply.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { loadReturnView } from '#shared/returns/load-return-views.ts'
import type { Return } from '#shared/returns/return.ts'

/** Responds with a return and its ETag. */
export const respondWithReturn = async (tx: StoreTx, status: number, rma: Return): Promise<Reply> =>
  reply(status, await loadReturnView(tx, rma.id), { ETag: entityTag(rma) })
