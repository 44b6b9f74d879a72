import { entityTag } from '#shared/platform/entity-tag.ts'
import type { StoreTx } from '#shared/platform/store-scope.ts'
import { loadReturnView } from '#shared/returns/load-views.ts'
import type { Return } from '#shared/returns/return.ts'
import { type Reply, reply } from '../platform/reply.ts'

/** A return with its ETag, as each operation of the staff on one answers it. */
export const answerReturn = async (tx: StoreTx, status: number, rma: Return): Promise<Reply> =>
  reply(status, await loadReturnView(tx, rma.id), { ETag: entityTag(rma) })
